print(fs.directory_tree(path="/workspace"))
for folder in sorted(folders):
    print(folder)
    print(fs.read_text_file(path="/workspace/" + folder + "/span.txt"))
    for n in folders[folder]:
        print("  ", n, mtimes[n])
