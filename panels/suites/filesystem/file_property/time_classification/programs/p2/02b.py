def span(group):
    first = min(group, key=lambda n: (times[n], n))
    latest = max(times[n] for n in group)
    last = min(n for n in group if times[n] == latest)
    return f"first: {first} {times[first]:%H:%M:%S}\nlast: {last} {times[last]:%H:%M:%S}\n"

for d, group in sorted(days.items()):
    folder = "/workspace/" + d
    fs.create_directory(path=folder)
    for n in group:
        fs.move_file(source="/workspace/" + n, destination=f"{folder}/{n}")
    fs.write_file(path=folder + "/span.txt", content=span(group))
print(fs.directory_tree(path="/workspace"))
