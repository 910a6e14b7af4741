print(fs.list_directory(path="/workspace"))
names = [l.replace("[FILE] ", "", 1) for l in fs.list_directory(path="/workspace").splitlines() if l.startswith("[FILE]")]
for n in names:
    print(n)
    print(fs.get_file_info(path=f"/workspace/{n}"))
