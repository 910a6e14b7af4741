paths = fs.search_files(path="/workspace", pattern="**/basic_info.csv").splitlines()
print(len(paths))
data = {}
for i in range(0, len(paths), 30):
    for chunk in fs.read_multiple_files(paths=paths[i:i+30]).split("\n---\n"):
        head, _, body = chunk.lstrip("\n").partition(":\n")
        data[head] = body.strip().splitlines()
print("headers", {ls[0] for ls in data.values()})
print("line counts", {len(ls) for ls in data.values()})
from collections import Counter
print("fields", Counter(len(ls[1].split(",")) for ls in data.values()))
for p in paths[:15]:
    print(data[p][1])
