import re
names = [l.split("] ", 1)[1].strip() for l in fs.list_directory(path="/workspace").splitlines() if l.startswith("[DIR]")]
print(len(names), names[:5])

infos = {}
letters = {}
for n in names:
    infos[n] = fs.read_text_file(path=f"/workspace/{n}/basic_info.csv")
    letters[n] = fs.read_text_file(path=f"/workspace/{n}/recommendation_letter.txt")

print("headers:", set(t.splitlines()[0] for t in infos.values()))
for n in names[:4]:
    print(infos[n])
print(letters[names[0]])
print("-----")
for n in names:
    m = re.search(r"final\s+English\s+grade", letters[n], re.I)
    if m:
        print(n, "|", repr(letters[n][m.start():m.end() + 40]))
    else:
        print(n, "| NO MATCH")
