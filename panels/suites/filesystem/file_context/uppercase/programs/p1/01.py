print(fs.list_directory(path="/workspace/texts"))
names = ["text_%02d.txt" % i for i in range(1, 11)]
texts = {}
for n in names:
    texts[n] = fs.read_text_file(path="/workspace/texts/" + n)
print(texts[names[0]])
chars = set("".join(texts.values()))
print(sorted(c for c in chars if ord(c) > 127))
