import json
def walk(nodes, base):
    for n in nodes:
        p = f"{base}/{n['name']}"
        if n["type"] == "directory":
            yield from walk(n["children"], p)
        else:
            yield p
files = list(walk(json.loads(fs.directory_tree(path="/workspace")), "/workspace"))
print(len(files))
for f in files:
    print(f)
