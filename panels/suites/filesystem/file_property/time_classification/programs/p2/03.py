print(fs.list_directory(path="/workspace"))
for d in sorted(days):
    text = fs.read_text_file(path=f"/workspace/{d}/span.txt")
    print(d, len(days[d]), repr(text))
