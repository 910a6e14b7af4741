import json
tree = json.loads(fs.directory_tree(path="/workspace"))

def walk(nodes, base):
    paths = []
    for n in nodes:
        p = base + "/" + n["name"]
        if n["type"] == "directory":
            paths += walk(n["children"], p)
        else:
            paths.append(p)
    return paths

files = sorted(walk(tree, "/workspace"))
print(len(files))
groups = {}
for p in files:
    text = fs.read_text_file(path=p)
    groups.setdefault(text, []).append(p)
for text, paths in groups.items():
    if len(paths) > 1:
        print(paths, repr(text[:60]))
