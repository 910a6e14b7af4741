print(fs.directory_tree(path=root))
