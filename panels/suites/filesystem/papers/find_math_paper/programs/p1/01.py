listing = fs.list_directory(path="/workspace/papers")
files = [l[len("[FILE] "):] for l in listing.split("\n") if l.startswith("[FILE] ")]
print(len(files))
print(files[:5])
print(fs.read_text_file(path="/workspace/papers/" + files[0]))
