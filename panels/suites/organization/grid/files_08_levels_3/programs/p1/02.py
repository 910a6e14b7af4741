import json
names = [e["name"] for e in json.loads(fs.directory_tree(path="/workspace"))]
info = {n: fs.get_file_info(path="/workspace/" + n) for n in names}
for n in names:
    print(n)
    print(info[n])
