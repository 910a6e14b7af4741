buf = io.StringIO()
w = csv.writer(buf, lineterminator="\n")
w.writerow(["name", "phone", "email", "town", "job"])
for name, phone in people:
    r = facts[phone]
    w.writerow([name, phone, r.get("email", ""), r.get("town", ""), r.get("job", "")])
fs.write_file(path="/workspace/contacts.csv", content=buf.getvalue())
print(fs.read_text_file(path="/workspace/contacts.csv"))
