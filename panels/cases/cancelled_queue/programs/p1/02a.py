SUBJECTS = ["literature", "mathematics", "english", "physics", "history"]


def grade(text):
    score = int(text) if text.isdigit() else 0
    return "A" if score >= 90 else "B" if score >= 80 else "C" if score >= 70 else "D" if score >= 60 else "F"


rows = []
for text in records.values():
    header, line = text.splitlines()[:2]
    record = dict(zip(header.split(","), line.split(",")))
    rows.append([record["student_id"], record["name"], *(grade(record[subject]) for subject in SUBJECTS)])
rows.sort()

table = [["student_id", "name", *SUBJECTS], *rows]
fs.write_file(path="/workspace/student_grades.csv", content="\n".join(",".join(row) for row in table) + "\n")
