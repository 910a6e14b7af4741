for day, items in sorted(days.items()):
    folder = "/workspace/" + day
    fs.create_directory(path=folder)
    for dt, f in items:
        fs.move_file(source="/workspace/" + f, destination=folder + "/" + f)
    first = min(items)
    last_time = max(dt for dt, f in items)
    last_name = min(f for dt, f in items if dt == last_time)
    fs.write_file(path=folder + "/span.txt", content=f"first: {first[1]} {first[0]:%H:%M:%S}\nlast: {last_name} {last_time:%H:%M:%S}\n")
    print(day)
    print(fs.read_text_file(path=folder + "/span.txt"))
print(fs.directory_tree(path="/workspace"))
