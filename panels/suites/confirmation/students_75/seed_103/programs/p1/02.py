import re
picked = []
for d in dirs:
    v = infos[d].strip().splitlines()[1].split(",")
    sid, name, email, toefl = v[0], v[1], v[3], int(v[4])
    grade = None
    m = re.search(r"final English grade\b[^.]*?\b([SABCD])\b", letters[d], )
    if m is None:
        m = re.search(r"Final English grade\b[^.]*?\b([SABCD])\b", letters[d])
    if m:
        grade = m.group(1)
    else:
        print("no grade found:", d)
        print(letters[d])
    if toefl >= 100:
        print(sid, name, toefl, grade)
        if grade in ("S", "A"):
            picked.append((int(sid), sid, name, email))
picked.sort()
text = "\n\n".join("Name: %s\nID: %s\nEmail: %s" % (name, sid, email) for _, sid, name, email in picked)
fs.write_file(path=base + "qualified_students.txt", content=text + "\n")
print()
print(fs.read_text_file(path=base + "qualified_students.txt"))
