content = "\n\n".join(f"Name: {s['name']}\nID: {s['id']}\nEmail: {s['email']}" for s in qualified) + "\n"
print(fs.write_file(path="/workspace/qualified_students.txt", content=content))
back = fs.read_text_file(path="/workspace/qualified_students.txt")
print(back)
print(back == content)
