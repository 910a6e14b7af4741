listing = fs.list_directory(path="/workspace")
print(listing)
names = [line[7:] for line in listing.split("\n") if line.startswith("[FILE] ")]
infos = {}
for n in names:
    infos[n] = fs.get_file_info(path="/workspace/" + n)
print(len(infos))
print(infos[names[0]])
print(infos[names[-1]])
