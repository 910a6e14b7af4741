import json
entries = json.loads(fs.directory_tree(path="/workspace"))
for e in entries:
    print(e["type"], e["name"])
    if e["type"] == "file":
        print(fs.get_file_info(path="/workspace/" + e["name"]))
