from datetime import datetime
plan = {}
for e in entries:
    if e["type"] != "file":
        continue
    info = fs.get_file_info(path="/workspace/" + e["name"])
    line = next(l for l in info.split("\n") if l.startswith("modified"))
    parts = line.split()
    # modified: Sun Jun 29 2025 03:48:21 GMT+0000 ...
    t = datetime.strptime(" ".join(parts[2:6]), "%b %d %Y %H:%M:%S")
    plan.setdefault(f"{t.month:02}/{t.day:02}", []).append((e["name"], t))

made = []
for day, items in sorted(plan.items()):
    fs.create_directory(path=f"/workspace/{day}")
    for name, t in items:
        fs.move_file(source=f"/workspace/{name}", destination=f"/workspace/{day}/{name}")
    first = min(items, key=lambda x: (x[1], x[0]))
    last = items[0]
    for it in items:
        if it[1] > last[1] or (it[1] == last[1] and it[0] < last[0]):
            last = it
    fs.write_file(path=f"/workspace/{day}/span.txt",
                  content=f"first: {first[0]} {first[1].strftime('%H:%M:%S')}\nlast: {last[0]} {last[1].strftime('%H:%M:%S')}\n")
    made.append(day)
print(made)
