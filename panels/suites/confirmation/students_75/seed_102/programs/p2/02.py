import csv, io, re

records = []
for path in found:
    path = path.strip()
    folder = path.rsplit("/", 1)[0]
    row = list(csv.DictReader(io.StringIO(fs.read_text_file(path=path))))[0]
    letter = fs.read_text_file(path=folder + "/recommendation_letter.txt")
    m = re.search(r"[Ff]inal\s+English\s+grade(.{0,30}?)\b([SABCD])\b", letter, re.S)
    row["grade"] = m.group(2) if m else None
    row["link"] = m.group(1) if m else letter
    records.append(row)

print("links:", {r["link"] for r in records})
print("no grade:", [r["student_id"] for r in records if r["grade"] is None])

good = [r for r in records if r["grade"] in ("S", "A") and float(r["toefl"]) >= 100]
good.sort(key=lambda r: r["student_id"])
out = "\n\n".join(f"Name: {r['name']}\nID: {r['student_id']}\nEmail: {r['email']}" for r in good) + "\n"
print(fs.write_file(path="/workspace/qualified_students.txt", content=out))
print(len(good), "students")
for r in good:
    print(r["student_id"], r["name"], r["grade"], r["toefl"], r["email"])
