print(fs.directory_tree(path="/workspace"))
