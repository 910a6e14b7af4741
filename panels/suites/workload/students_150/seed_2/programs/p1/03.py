ok = sorted((r for r in records if r["grade"] in ("S", "A") and r["toefl"] >= 100), key=lambda r: r["id"])
for r in ok:
    print(r)
lines = []
for i, r in enumerate(ok):
    if i:
        lines.append("")
    lines.append(f"Name: {r['name']}")
    lines.append(f"ID: {r['id']}")
    lines.append(f"Email: {r['email']}")
fs.write_file(path="/workspace/qualified_students.txt", content="\n".join(lines) + "\n")
