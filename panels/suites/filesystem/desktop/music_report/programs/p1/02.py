import json
tree = json.loads(fs.directory_tree(path="/workspace/music"))
artists = [d["name"] for d in tree if d["type"] == "directory" and d["name"] != "playlists"]
for d in tree:
    if d["name"] in artists:
        for c in d["children"]:
            path = "/workspace/music/" + d["name"] + "/" + c["name"]
            print("-----", path)
            print(fs.read_text_file(path=path))
