listing = fs.list_directory(path="/workspace")
print(listing)
files = [l[len("[FILE] "):] for l in listing.split("\n") if l.startswith("[FILE] ")]
print(len(files))
print(fs.get_file_info(path="/workspace/" + files[0]))
