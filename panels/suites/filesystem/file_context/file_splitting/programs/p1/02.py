n = len(text) // 10
fs.create_directory(path="/workspace/parts")
for i in range(10):
    fs.write_file(path="/workspace/parts/part_%02d.txt" % (i + 1), content=text[i * n:(i + 1) * n])

parts = []
for i in range(10):
    parts.append(fs.read_text_file(path="/workspace/parts/part_%02d.txt" % (i + 1)))
print([len(p) for p in parts])
print("".join(parts) == text)
