print(fs.list_directory(path="/workspace"))
first = fs.list_directory(path="/workspace").splitlines()[0].split(" ", 1)[1]
print(fs.get_file_info(path="/workspace/" + first))
