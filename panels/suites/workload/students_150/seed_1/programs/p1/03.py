sel = [info[f] for f in info if grades[f] in ("S", "A") and int(info[f]["toefl"]) >= 100]
sel.sort(key=lambda r: int(r["student_id"]))
content = "\n\n".join("Name: {name}\nID: {student_id}\nEmail: {email}".format(**r) for r in sel) + "\n"
fs.write_file(path="/workspace/qualified_students.txt", content=content)
print(len(sel))
print(content)
