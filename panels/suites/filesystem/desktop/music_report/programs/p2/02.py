import json
tree = json.loads(fs.directory_tree(path="/workspace/music"))
artists = [d["name"] for d in tree if d["type"] == "directory" and d["name"] != "playlists"]
paths = [f"/workspace/music/{d['name']}/{f['name']}" for d in tree if d["name"] in artists for f in d["children"]]
print(fs.read_multiple_files(paths=paths))
