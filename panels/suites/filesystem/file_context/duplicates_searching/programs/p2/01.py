import json
from collections import defaultdict

def walk(nodes, base):
    for n in nodes:
        path = base + n["name"]
        if n["type"] == "file":
            yield path
        else:
            yield from walk(n["children"], path + "/")

files = sorted(walk(json.loads(fs.directory_tree(path="/workspace")), ""))
print(len(files))
by_size = defaultdict(list)
for f in files:
    info = fs.get_file_info(path="/workspace/" + f)
    by_size[int(info.split("size: ", 1)[1].split()[0])].append(f)
same = {s: g for s, g in by_size.items() if len(g) > 1}
print(len(by_size), "sizes,", len(same), "shared by several files")
for s, g in same.items():
    print(s, g)
