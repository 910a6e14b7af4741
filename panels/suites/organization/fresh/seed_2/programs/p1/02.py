import re
MONTHS = {"Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06",
          "Jul": "07", "Aug": "08", "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12"}
groups = {}
for n in names:
    t = fs.get_file_info(path=f"/workspace/{n}")
    mon, day, year, clock = re.search(r"modified: \w+ (\w+) (\d+) (\d+) (\d\d:\d\d:\d\d)", t).groups()
    groups.setdefault(f"{year}/{MONTHS[mon]}/{day}", []).append((clock, n))

for g, members in groups.items():
    fs.create_directory(path=f"/workspace/{g}")
    for clock, n in members:
        fs.move_file(source=f"/workspace/{n}", destination=f"/workspace/{g}/{n}")
    members.sort(key=lambda m: m[1])
    first = min(members, key=lambda m: m[0])
    last = max(members, key=lambda m: m[0])
    fs.write_file(path=f"/workspace/{g}/span.txt", content=f"first: {first[1]} {first[0]}\nlast: {last[1]} {last[0]}\n")
    print(g, members, "->", first, last)
print(fs.list_directory(path="/workspace"))
