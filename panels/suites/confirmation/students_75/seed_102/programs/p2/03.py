print(fs.read_text_file(path="/workspace/qualified_students.txt"))
