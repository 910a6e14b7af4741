listing = fs.list_directory(path="/workspace")
print(listing)
files = [l[7:] for l in listing.splitlines() if l.startswith("[FILE] ")]
print(len(files))
print(fs.get_file_info(path="/workspace/" + files[0]))
