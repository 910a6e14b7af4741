from datetime import datetime

days = {}
for f in files:
    info = fs.get_file_info(path="/workspace/" + f)
    modified = [l for l in info.split("\n") if l.startswith("modified: ")][0][len("modified: "):]
    t = datetime.strptime(modified.split(" GMT")[0], "%a %b %d %Y %H:%M:%S")
    days.setdefault(t.strftime("%m/%d"), []).append((t, f))

for day in sorted(days):
    folder = "/workspace/" + day
    fs.create_directory(path=folder)
    for t, f in days[day]:
        fs.move_file(source="/workspace/" + f, destination=folder + "/" + f)
    first_time = min(t for t, f in days[day])
    last_time = max(t for t, f in days[day])
    first = min(f for t, f in days[day] if t == first_time)
    last = min(f for t, f in days[day] if t == last_time)
    span = "first: %s %s\nlast: %s %s\n" % (first, first_time.strftime("%H:%M:%S"), last, last_time.strftime("%H:%M:%S"))
    fs.write_file(path=folder + "/span.txt", content=span)
    print(day, len(days[day]))
    print(span)

print(fs.directory_tree(path="/workspace"))
