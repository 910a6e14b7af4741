text = fs.list_directory_with_sizes(path="/workspace")
print(text)
names = [l.split("] ", 1)[1] for l in fs.list_directory(path="/workspace").splitlines() if l.startswith("[FILE]")]
print(names)
for n in names[:3]:
    print(fs.get_file_info(path="/workspace/" + n))
