folders = [l[6:] for l in fs.list_directory(path="/workspace").splitlines() if l.startswith("[DIR]")]
print(len(folders), folders[:5])
sample = folders[0]
print(fs.list_directory(path=f"/workspace/{sample}"))
print(fs.read_multiple_files(paths=[f"/workspace/{sample}/basic_info.csv", f"/workspace/{sample}/recommendation_letter.txt"]))
print(fs.search_files(path="/workspace", pattern="*.txt"))
