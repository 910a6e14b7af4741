print(fs.list_directory(path="/workspace"))
names = [l.split("] ", 1)[1] for l in fs.list_directory(path="/workspace").splitlines() if l.startswith("[FILE]")]
print(fs.get_file_info(path="/workspace/" + names[0]))
