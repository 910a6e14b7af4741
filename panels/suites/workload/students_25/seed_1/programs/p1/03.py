qualified = []
for rec, letter in rows:
    m = re.search(r"[Ff]inal English grade\W+(?:\w+\W+)*?([SABCD])\b", letter)
    grade = m.group(1) if m else None
    if grade is None:
        print("no grade", rec["student_id"])
    if grade in ("S", "A") and int(rec["toefl"]) >= 100:
        qualified.append(rec)
qualified.sort(key=lambda r: int(r["student_id"]))
text = "\n\n".join(f"Name: {r['name']}\nID: {r['student_id']}\nEmail: {r['email']}" for r in qualified) + "\n"
fs.write_file(path="/workspace/qualified_students.txt", content=text)
print(fs.read_text_file(path="/workspace/qualified_students.txt"))
