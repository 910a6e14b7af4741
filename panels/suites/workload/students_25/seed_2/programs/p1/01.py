print(fs.directory_tree(path="/workspace")[:1500])
names = [line.replace("[DIR] ", "").strip() for line in fs.list_directory(path="/workspace").split("\n") if "[DIR]" in line]
print(len(names))
for n in names[:3]:
    print(fs.read_text_file(path=f"/workspace/{n}/basic_info.csv"))
    print(fs.read_text_file(path=f"/workspace/{n}/recommendation_letter.txt"))
    print("-----")
