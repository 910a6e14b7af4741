from datetime import datetime
from collections import defaultdict
by_day = defaultdict(list)
for name, text in info.items():
    m = re.search(r"^modified: (.*?) GMT\+0000", text, re.M)
    when = datetime.strptime(m.group(1), "%a %b %d %Y %H:%M:%S")
    by_day[when.date()].append((when, name))

for day in sorted(by_day):
    target = root + day.strftime("/%Y/%m/%d")
    fs.create_directory(path=target)
    entries = sorted(by_day[day])
    for when, name in entries:
        fs.move_file(source=f"{root}/{name}", destination=f"{target}/{name}")
    first = entries[0]
    latest = entries[-1][0]
    last = [e for e in entries if e[0] == latest][0]
    span = "first: %s %s\nlast: %s %s\n" % (first[1], first[0].strftime("%H:%M:%S"), last[1], last[0].strftime("%H:%M:%S"))
    fs.write_file(path=target + "/span.txt", content=span)
    print(target)
    for when, name in entries:
        print("   ", when, name)
    print(span)
