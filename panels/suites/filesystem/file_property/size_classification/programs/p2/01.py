print(fs.list_directory_with_sizes(path="/workspace", sortBy="size"))
