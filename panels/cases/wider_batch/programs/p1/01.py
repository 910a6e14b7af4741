import re

listing = fs.list_directory(path="/workspace")
folders = [line[len("[DIR] "):] for line in listing.splitlines() if line.startswith("[DIR] ")]

remaining = [f"/workspace/{folder}/basic_info.csv" for folder in folders]
infos = {}
while remaining:
    reply = fs.read_multiple_files(paths=remaining[:3])
    for part in reply.split("\n---\n"):
        path, _, text = part.partition(":\n")
        infos[path] = text
    remaining = [path for path in remaining if path not in infos]

able = []
for path, text in infos.items():
    student_id, name, _, email, toefl = text.splitlines()[1].split(",")[:5]
    if int(toefl) >= 100:
        able.append((student_id, name, email, path.replace("basic_info.csv", "recommendation_letter.txt")))

reply = fs.read_multiple_files(paths=[letter for *_, letter in able])
entries = []
for (student_id, name, email, _), text in zip(able, reply.split("\n---\n")):
    grade = re.search(r"[Ff]inal English grade\W+(?:\w\w+ )?([SABCD])\b", text)
    if grade and grade[1] in "SA":
        entries.append((student_id, f"Name: {name}\nID: {student_id}\nEmail: {email}\n"))

fs.write_file(
    path="/workspace/qualified_students.txt",
    content="\n".join(entry for _, entry in sorted(entries)),
)
