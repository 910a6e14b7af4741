from itertools import groupby
for key, grp in groupby(table, key=lambda x: x[0].strftime("%m/%d")):
    grp = list(grp)
    dest = "/workspace/" + key
    print(fs.create_directory(path=dest))
    for t, n in grp:
        print(fs.move_file(source="/workspace/" + n, destination=dest + "/" + n))
    t1, n1 = grp[0]
    t2 = grp[-1][0]
    n2 = next(n for t, n in grp if t == t2)
    span = f"first: {n1} {t1:%H:%M:%S}\nlast: {n2} {t2:%H:%M:%S}\n"
    fs.write_file(path=dest + "/span.txt", content=span)
    print(span)
print(fs.list_directory(path="/workspace"))
