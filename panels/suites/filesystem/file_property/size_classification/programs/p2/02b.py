for folder in ("small", "medium", "large"):
    fs.create_directory(path=f"/workspace/{folder}")
for n in sizes:
    fs.move_file(source=f"/workspace/{n}", destination=f"/workspace/{shelf(n)}/{n}")
print(fs.list_directory(path="/workspace"))
for folder in ("small", "medium", "large"):
    print(folder, fs.list_directory_with_sizes(path=f"/workspace/{folder}", sortBy="size")[-120:])
