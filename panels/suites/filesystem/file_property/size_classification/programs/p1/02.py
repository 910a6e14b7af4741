for d in ["small", "medium", "large"]:
    fs.create_directory(path="/workspace/" + d)

for f in files:
    info = fs.get_file_info(path="/workspace/" + f)
    size = int(info.split("\n")[0][len("size: "):])
    if size < 300:
        target = "small"
    elif size <= 700:
        target = "medium"
    else:
        target = "large"
    fs.move_file(source="/workspace/" + f, destination="/workspace/" + target + "/" + f)

print(fs.list_directory(path="/workspace"))
for d in ["small", "medium", "large"]:
    print(d)
    print(fs.list_directory_with_sizes(path="/workspace/" + d))
