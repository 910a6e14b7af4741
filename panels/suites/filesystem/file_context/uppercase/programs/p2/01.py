print(fs.list_directory_with_sizes(path="/workspace"))
print(fs.directory_tree(path="/workspace")[:3000])
