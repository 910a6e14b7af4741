import csv, io, re

folders = [l[len("[DIR] "):] for l in lines if l.startswith("[DIR] ")]
students = []
for f in folders:
    info = fs.read_text_file(path="/workspace/" + f + "/basic_info.csv")
    row = list(csv.DictReader(io.StringIO(info)))[0]
    letter = fs.read_text_file(path="/workspace/" + f + "/recommendation_letter.txt")
    students.append((f, row, letter))

for f, row, letter in students:
    flat = " ".join(letter.split())
    m = re.search(r"final English grade.{0,50}", flat, re.I)
    print(f, row["toefl"], "|", m.group(0) if m else "NOT FOUND")
