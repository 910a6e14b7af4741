names = [l[7:] for l in fs.list_directory(path="/workspace").splitlines() if l.startswith("[FILE]")]
print(fs.list_directory(path="/workspace"))
texts = {}
for n in names:
    texts[n] = fs.read_text_file(path="/workspace/" + n)
for n in names[:5]:
    print("##", n)
    print(texts[n])
