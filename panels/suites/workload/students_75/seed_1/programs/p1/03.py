good = []
for s in students:
    m = re.findall(r"[Ff]inal English grade[^.]*?\b([SABCD])\b", s["letter"])
    if len(m) != 1:
        print("check", s["folder"], m)
    if m[0] in ("S", "A") and int(s["toefl"]) >= 100:
        good.append(s)
good.sort(key=lambda s: s["id"])
blocks = []
for s in good:
    blocks.append("Name: " + s["name"] + "\nID: " + s["id"] + "\nEmail: " + s["email"] + "\n")
fs.write_file(path=root + "/qualified_students.txt", content="\n".join(blocks))
print(len(good))
print(fs.read_text_file(path=root + "/qualified_students.txt"))
