listing = fs.list_directory(path="/workspace").splitlines()
files = [x[len("[FILE] "):] for x in listing if x.startswith("[FILE] ")]
print(listing)
meta = {}
for f in files:
    meta[f] = fs.get_file_info(path="/workspace/" + f)
    print(repr(f), meta[f], sep="\n")
