size = len(text) // 10
fs.create_directory(path="/workspace/parts")
for n in range(10):
    part = text[n * size:(n + 1) * size]
    fs.write_file(path=f"/workspace/parts/part_{n + 1:02d}.txt", content=part)
print(fs.list_directory_with_sizes(path="/workspace/parts"))
