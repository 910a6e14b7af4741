entries = []
for folder in folders:
    info = texts[f"/workspace/{folder}/basic_info.csv"]
    letter = texts[f"/workspace/{folder}/recommendation_letter.txt"]
    student_id, name, _, email, toefl = info.splitlines()[1].split(",")[:5]
    grade = re.search(r"[Ff]inal English grade\W+(?:\w\w+ )?([SABCD])\b", letter)
    if grade and grade[1] in "SA" and int(toefl) >= 100:
        entries.append((student_id, f"Name: {name}\nID: {student_id}\nEmail: {email}\n"))

content = "\n".join(entry for _, entry in sorted(entries))
fs.write_file(path="/workspace/qualified_students.txt", content=content)
print(len(entries), "qualified")
