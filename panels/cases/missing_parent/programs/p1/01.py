names = [f"text_{number:02}.txt" for number in range(1, 11)]
texts = {}
for name in names:
    texts[name] = fs.read_text_file(path=f"/workspace/texts/{name}")
