base = "/workspace/"
dirs = []
for line in fs.list_directory(path=base).splitlines():
    if line.startswith("[DIR] "):
        dirs.append(line[len("[DIR] "):])
    else:
        print("not a dir:", line)
print(len(dirs), dirs[:8])

letters = {}
infos = {}
for d in dirs:
    infos[d] = fs.read_text_file(path=base + d + "/basic_info.csv")
    letters[d] = fs.read_text_file(path=base + d + "/recommendation_letter.txt")

for d in dirs[:2]:
    print(infos[d])
    print(letters[d])
    print("=====")
