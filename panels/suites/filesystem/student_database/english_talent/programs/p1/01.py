listing = fs.list_directory(path="/workspace")
lines = listing.split("\n")
print(len(lines))
print("\n".join(lines[:10]))
first = [l[len("[DIR] "):] for l in lines if l.startswith("[DIR] ")][0]
print(fs.list_directory(path="/workspace/" + first))
print(fs.read_text_file(path="/workspace/" + first + "/basic_info.csv"))
print(fs.read_text_file(path="/workspace/" + first + "/recommendation_letter.txt"))
