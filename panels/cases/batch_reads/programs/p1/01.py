import re

listing = fs.list_directory(path="/workspace")
folders = [line[len("[DIR] "):] for line in listing.splitlines() if line.startswith("[DIR] ")]
print(len(folders), "students")

infos = {}
for folder in folders:
    infos[folder] = fs.read_text_file(path=f"/workspace/{folder}/basic_info.csv")

letters = {}
for folder in folders:
    letters[folder] = fs.read_text_file(path=f"/workspace/{folder}/recommendation_letter.txt")

entries = []
for folder in folders:
    student_id, name, _, email, toefl = infos[folder].splitlines()[1].split(",")[:5]
    grade = re.search(r"[Ff]inal English grade\W+(?:\w\w+ )?([SABCD])\b", letters[folder])
    if grade and grade[1] in "SA" and int(toefl) >= 100:
        entries.append((student_id, f"Name: {name}\nID: {student_id}\nEmail: {email}\n"))

content = "\n".join(entry for _, entry in sorted(entries))
fs.write_file(path="/workspace/qualified_students.txt", content=content)
print(len(entries), "qualified")
