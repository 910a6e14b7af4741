import re
from datetime import datetime

days = {}
for line in out.splitlines():
    if not line.startswith("[FILE] "):
        continue
    name = line[7:]
    info = fs.get_file_info(path="/workspace/" + name)
    s = re.search(r"modified: \w{3} (\w{3} \d{2} \d{4} \d{2}:\d{2}:\d{2})", info).group(1)
    t = datetime.strptime(s, "%b %d %Y %H:%M:%S")
    days.setdefault((t.month, t.day), []).append((name, t))

for (m, d), items in sorted(days.items()):
    folder = f"/workspace/{m:02d}/{d:02d}"
    fs.create_directory(path=folder)
    for name, t in items:
        fs.move_file(source="/workspace/" + name, destination=folder + "/" + name)
    early = min(t for _, t in items)
    late = max(t for _, t in items)
    first = min(n for n, t in items if t == early)
    last = min(n for n, t in items if t == late)
    content = f"first: {first} {early.strftime('%H:%M:%S')}\nlast: {last} {late.strftime('%H:%M:%S')}\n"
    fs.write_file(path=folder + "/span.txt", content=content)
    print(folder)
    print(content)
print(fs.directory_tree(path="/workspace"))
