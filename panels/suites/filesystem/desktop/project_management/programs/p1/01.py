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

files = walk(tree, "/workspace")
print(len(files))
print("\n".join(files))
