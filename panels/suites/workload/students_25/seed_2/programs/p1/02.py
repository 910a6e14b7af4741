import re

qualified = []
for n in sorted(names):
    info = fs.read_text_file(path=f"/workspace/{n}/basic_info.csv").strip().split("\n")
    header = info[0].split(",")
    values = info[1].split(",")
    # the address may contain commas, but everything we need comes before it
    sid = values[header.index("student_id")]
    name = values[header.index("name")]
    email = values[header.index("email")]
    toefl = int(values[header.index("toefl")])

    letter = fs.read_text_file(path=f"/workspace/{n}/recommendation_letter.txt")
    m = re.search(r"final English grade.*?\b([SABCD])\b", letter, re.S)
    if not m:
        m = re.search(r"Final English grade.*?\b([SABCD])\b", letter, re.S)
    grade = m.group(1)
    print(sid, name, toefl, grade)
    if grade in "SA" and toefl >= 100:
        qualified.append((int(sid), f"Name: {name}\nID: {sid}\nEmail: {email}"))

qualified.sort()
content = "\n\n".join(q[1] for q in qualified) + "\n"
print(content)
fs.write_file(path="/workspace/qualified_students.txt", content=content)
