qualified = []
for f, row, letter in students:
    flat = " ".join(letter.split())
    grade = re.search(r"final English grade(?: is| of|:)? ([SABCD])\b", flat, re.I).group(1)
    if grade in ("S", "A") and int(row["toefl"]) >= 100:
        qualified.append(row)

qualified.sort(key=lambda r: r["student_id"])
blocks = []
for r in qualified:
    blocks.append("Name: %s\nID: %s\nEmail: %s\n" % (r["name"], r["student_id"], r["email"]))
fs.write_file(path="/workspace/qualified_students.txt", content="\n".join(blocks))
print(len(qualified))
print(fs.read_text_file(path="/workspace/qualified_students.txt"))
