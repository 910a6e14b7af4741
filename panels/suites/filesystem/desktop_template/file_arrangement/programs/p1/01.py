listing = fs.list_directory(path="/workspace")
print(listing)
files = [l[len("[FILE] "):] for l in listing.split("\n") if l.startswith("[FILE] ")]
print(len(files))
for f in files[:3]:
    print("-----", f)
    print(fs.read_text_file(path="/workspace/" + f))
