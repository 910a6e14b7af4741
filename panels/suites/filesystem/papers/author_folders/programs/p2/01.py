print(fs.list_directory(path="/workspace"))
ids = [l.split("] ", 1)[1] for l in fs.list_directory(path="/workspace/papers").splitlines() if l.startswith("[FILE]")]
print(len(ids), ids[:4], ids[-4:])
print(fs.read_text_file(path="/workspace/papers/" + ids[-1], head=20))
