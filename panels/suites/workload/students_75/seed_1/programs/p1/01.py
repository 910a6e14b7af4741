root = "/workspace"
out = fs.list_directory(path=root)
print(out[:800])
folders = [x.split(" ", 1)[1] for x in out.splitlines() if x.startswith("[DIR]")]
print(len(folders), "folders")
for f in folders[:2]:
    print(fs.read_multiple_files(paths=[f"{root}/{f}/basic_info.csv", f"{root}/{f}/recommendation_letter.txt"]))
