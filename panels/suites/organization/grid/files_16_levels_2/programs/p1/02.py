from datetime import datetime
table = []
for n in names:
    info = dict(l.split(": ", 1) for l in fs.get_file_info(path="/workspace/" + n).splitlines() if ": " in l)
    t = datetime.strptime(info["modified"].split(" GMT")[0], "%a %b %d %Y %H:%M:%S")
    table.append((t, n))
table.sort()
for t, n in table:
    print(t, n)
