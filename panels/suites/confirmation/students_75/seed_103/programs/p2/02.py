import csv

blocks = []
for n in sorted(names):
    header, line = [next(csv.reader([l])) for l in infos[n].strip().splitlines()[:2]]
    rec = dict(zip(header, line))
    grade = re.search(r"final\s+English\s+grade(?:\s+is|\s+of|:)?\s+([SABCD])\b", letters[n], re.I)
    if not grade:
        print("no grade found:", n)
        continue
    g = grade.group(1)
    if g in "SA" and int(rec["toefl"]) >= 100:
        blocks.append((int(rec["student_id"]), f"Name: {rec['name']}\nID: {rec['student_id']}\nEmail: {rec['email']}"))
        print(rec["student_id"], rec["name"], g, rec["toefl"])

blocks.sort()
fs.write_file(path="/workspace/qualified_students.txt", content="\n\n".join(b for _, b in blocks) + "\n")
print(len(blocks), "written")
print(fs.read_text_file(path="/workspace/qualified_students.txt"))
