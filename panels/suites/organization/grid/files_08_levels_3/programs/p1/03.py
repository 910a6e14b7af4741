import datetime as dt
mtimes = {}
for n in names:
    for line in info[n].splitlines():
        key, _, value = line.partition(": ")
        if key == "modified":
            mtimes[n] = dt.datetime.strptime(value[:24], "%a %b %d %Y %H:%M:%S")

folders = {}
for n, t in mtimes.items():
    folders.setdefault(t.strftime("%Y/%m/%d"), []).append(n)

for folder, members in folders.items():
    path = "/workspace/" + folder
    fs.create_directory(path=path)
    for n in members:
        fs.move_file(source="/workspace/" + n, destination=path + "/" + n)
    earliest = sorted(members, key=lambda n: (mtimes[n], n))[0]
    latest = sorted(members, key=lambda n: (-mtimes[n].timestamp(), n))[0]
    fs.write_file(path=path + "/span.txt",
                  content="first: " + earliest + " " + mtimes[earliest].strftime("%H:%M:%S") + "\n"
                          + "last: " + latest + " " + mtimes[latest].strftime("%H:%M:%S") + "\n")
