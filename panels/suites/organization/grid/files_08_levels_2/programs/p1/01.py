out = fs.list_directory(path="/workspace")
for line in out.splitlines():
    print(line)
    if line.startswith("[FILE] "):
        print(fs.get_file_info(path="/workspace/" + line[7:]))
