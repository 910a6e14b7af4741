result.sort(key=lambda x: int(x["student_id"]))
parts = []
for r in result:
    parts.append(f"Name: {r['name']}\nID: {r['student_id']}\nEmail: {r['email']}")
fs.write_file(path="/workspace/qualified_students.txt", content="\n\n".join(parts) + "\n")
print(len(parts))
print(fs.read_text_file(path="/workspace/qualified_students.txt"))
