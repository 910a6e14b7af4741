import json
tree = json.loads(fs.directory_tree(path="/workspace"))

def flatten(nodes, base="/workspace"):
    out = []
    for n in nodes:
        p = base + "/" + n["name"]
        out += flatten(n["children"], p) if n["type"] == "directory" else [p]
    return out

files = flatten(tree)
print(len(files))
texts = {f: fs.read_text_file(path=f) for f in files}
hits = [f for f in files if "household" in texts[f].lower()]
print(len(hits))
for f in hits:
    print("##", f)
    print(texts[f])
