listing = fs.list_directory(path="/workspace/snippets")
files = [l[len("[FILE] "):] for l in listing.split("\n") if l.startswith("[FILE] ")]
print(len(files), files[:5])
print(fs.get_file_info(path="/workspace/snippets/" + files[0]))
print(repr(fs.read_text_file(path="/workspace/snippets/" + files[0])))
