chosen.sort(key=lambda r: int(r["student_id"]))
body = ""
for k, r in enumerate(chosen):
    if k > 0:
        body += "\n"
    body += f"Name: {r['name']}\nID: {r['student_id']}\nEmail: {r['email']}\n"
print(fs.write_file(path="/workspace/qualified_students.txt", content=body))
print(body)
