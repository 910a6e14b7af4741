for folder in ("archive", "temporary", "work", "home", "other"):
    fs.create_directory(path="/workspace/" + folder)
    for n in plan[folder]:
        fs.move_file(source="/workspace/" + n, destination=f"/workspace/{folder}/{n}")
print(fs.list_directory(path="/workspace"))
print(sum(len(fs.list_directory(path="/workspace/" + f).splitlines()) for f in plan), len(names))
