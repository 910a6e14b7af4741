listing = fs.list_directory(path="/workspace")
lines = listing.splitlines()
print(len(lines), "entries")
print("\n".join(lines[:10]))
dirs = [l[len("[DIR] "):].strip() for l in lines if l.startswith("[DIR]")]
print(len(dirs), "dirs; files:", [l for l in lines if l.startswith("[FILE]")])
for d in dirs[:3]:
    print("=====", d)
    print(fs.list_directory(path=f"/workspace/{d}"))
    print(fs.read_text_file(path=f"/workspace/{d}/basic_info.csv"))
    print(fs.read_text_file(path=f"/workspace/{d}/recommendation_letter.txt"))
