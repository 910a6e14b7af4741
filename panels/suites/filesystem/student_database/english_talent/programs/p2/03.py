import csv

def grade(letter):
    m = re.search(r"[Ff]inal\s+English\s+grade(?:\s+is|\s+of|:)?\s+([SABCD])\b", letter)
    return m.group(1)

qualified = []
for f, body in infos.items():
    header, row = [next(csv.reader([l])) for l in body.strip().splitlines()[:2]]
    student = dict(zip(header, row))
    g = grade(letters[f])
    if g in "SA" and int(student["toefl"]) >= 100:
        qualified.append((student["student_id"], student["name"], student["email"], g, student["toefl"]))
qualified.sort()
for q in qualified:
    print(q)
report = "\n\n".join(f"Name: {n}\nID: {i}\nEmail: {e}" for i, n, e, _, _ in qualified) + "\n"
print(fs.write_file(path="/workspace/qualified_students.txt", content=report))
print(fs.read_text_file(path="/workspace/qualified_students.txt"))
