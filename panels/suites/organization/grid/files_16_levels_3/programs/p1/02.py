import re, time
groups = {}
for f, text in meta.items():
    m = re.search(r"modified: (\w+ \w+ \d+ \d+ [\d:]+)", text)
    st = time.strptime(m.group(1), "%a %b %d %Y %H:%M:%S")
    day = time.strftime("%Y/%m/%d", st)
    groups.setdefault(day, []).append((time.strftime("%H:%M:%S", st), f))

for day in sorted(groups):
    g = sorted(groups[day])
    d = "/workspace/" + day
    fs.create_directory(path=d)
    for clock, f in g:
        fs.move_file(source="/workspace/" + f, destination=d + "/" + f)
    first_clock, first_name = g[0]
    last_clock = g[-1][0]
    last_name = sorted(f for c, f in g if c == last_clock)[0]
    fs.write_file(path=d + "/span.txt", content=f"first: {first_name} {first_clock}\nlast: {last_name} {last_clock}\n")

for day in sorted(groups):
    print(day)
    print(fs.list_directory(path="/workspace/" + day))
    print(fs.read_text_file(path="/workspace/" + day + "/span.txt"))
print(fs.list_directory(path="/workspace"))
