days = sorted(set(t.strftime("%m/%d") for t in when.values()))
print(days)
for day in days:
    here = sorted(f for f in files if when[f].strftime("%m/%d") == day)
    fs.create_directory(path="/workspace/" + day)
    for f in here:
        fs.move_file(source=f"/workspace/{f}", destination=f"/workspace/{day}/{f}")
    first = here[0]
    last = here[0]
    for f in here[1:]:
        if when[f] < when[first]:
            first = f
        if when[f] > when[last]:
            last = f
    fs.write_file(path=f"/workspace/{day}/span.txt",
                  content=f"first: {first} {when[first].time()}\nlast: {last} {when[last].time()}\n")
    print(fs.read_text_file(path=f"/workspace/{day}/span.txt"))
print(fs.directory_tree(path="/workspace"))
