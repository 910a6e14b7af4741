print(fs.list_directory(path="/workspace"))
