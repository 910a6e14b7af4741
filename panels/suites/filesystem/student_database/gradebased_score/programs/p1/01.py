listing = fs.list_directory(path="/workspace")
folders = [l[len("[DIR] "):] for l in listing.split("\n") if l.startswith("[DIR] ")]
print(len(folders), folders[:5])
infos = {}
for f in folders:
    infos[f] = fs.read_text_file(path="/workspace/" + f + "/basic_info.csv")
for f in folders[:3]:
    print(repr(infos[f]))
headers = {}
for f in folders:
    ls = infos[f].splitlines()
    key = (ls[0], len(ls[1].split(",")))
    headers.setdefault(key, []).append(f)
for key, fl in headers.items():
    print(key, len(fl), infos[fl[0]].splitlines()[1])
