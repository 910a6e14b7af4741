import json
tree = json.loads(fs.directory_tree(path="/workspace"))
files = [t["name"] for t in tree if t["type"] == "file"]
print(len(files), files)
print([t for t in tree if t["type"] != "file"])
for f in files[:2]:
    print(fs.get_file_info(path=f"/workspace/{f}"))
