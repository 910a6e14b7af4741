listing = fs.list_directory(path="/workspace")
print(listing)
dirs = [l[6:] for l in listing.splitlines() if l.startswith("[DIR] ")]
d = "/workspace/" + dirs[0]
print(fs.list_directory(path=d))
print(fs.read_text_file(path=d + "/basic_info.csv"))
print(fs.read_text_file(path=d + "/recommendation_letter.txt"))
