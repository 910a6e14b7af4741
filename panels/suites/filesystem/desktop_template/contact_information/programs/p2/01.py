import json, re
def flatten(nodes, base="/workspace"):
    out = []
    for n in nodes:
        p = base + "/" + n["name"]
        out += flatten(n["children"], p) if n["type"] == "directory" else [p]
    return out

files = flatten(json.loads(fs.directory_tree(path="/workspace")))
texts = {f: fs.read_text_file(path=f) for f in files}
print(len(files), sum(map(len, texts.values())))
PHONE = re.compile(r"(?<!\d)(?:\d[ ()/.\-]*){9}\d(?!\d)")
rich = [f for f in files if PHONE.search(texts[f])]
print(len(rich), "files with something like a number")
for f in rich:
    print("##", f)
    print(texts[f])
