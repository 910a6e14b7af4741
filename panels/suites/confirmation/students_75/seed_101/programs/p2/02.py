import csv, io, re

students = []
problems = []
for d in dirs:
    info = fs.read_text_file(path=f"/workspace/{d}/basic_info.csv")
    letter = fs.read_text_file(path=f"/workspace/{d}/recommendation_letter.txt")
    row = next(csv.DictReader(io.StringIO(info)))
    text = " ".join(letter.split())
    hits = re.findall(r"[Ff]inal English grade(?:\s*:| is| of)?\s+([SABCD])\b", text)
    if len(hits) != 1:
        i = text.lower().find("final english grade")
        problems.append((d, hits, text[max(0, i - 60):i + 80]))
        continue
    students.append({"id": row["student_id"], "name": row["name"], "email": row["email"],
                     "toefl": int(row["toefl"]), "grade": hits[0]})

print(len(students), "parsed;", len(problems), "problems")
for p in problems:
    print(p)
qualified = sorted((s for s in students if s["grade"] in "SA" and s["toefl"] >= 100), key=lambda s: int(s["id"]))
print(len(qualified), "qualified")
for s in qualified:
    print(s)
