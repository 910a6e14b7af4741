for day, ns in per_day.items():
    fs.create_directory(path="/workspace/" + day)
    for n in ns:
        fs.move_file(source="/workspace/" + n, destination="/workspace/" + day + "/" + n)
    # ns is sorted by name and min/max return the first hit, so ties go to the smaller name
    a = min(ns, key=lambda n: mod[n])
    b = max(ns, key=lambda n: mod[n])
    lines = ["first: " + a + " " + mod[a].strftime("%H:%M:%S"), "last: " + b + " " + mod[b].strftime("%H:%M:%S")]
    fs.write_file(path="/workspace/" + day + "/span.txt", content="\n".join(lines) + "\n")
    print(day, lines)
print(fs.list_directory(path="/workspace"))
