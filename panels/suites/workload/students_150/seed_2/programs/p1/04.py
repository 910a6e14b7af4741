print(fs.read_text_file(path="/workspace/qualified_students.txt"))
print([l for l in fs.list_directory(path="/workspace").splitlines() if l.startswith("[FILE]")])
