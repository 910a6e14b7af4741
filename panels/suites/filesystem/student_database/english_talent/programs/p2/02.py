import re

def read_batch(paths):
    out = fs.read_multiple_files(paths=paths)
    parts = {}
    for chunk in out.split("\n---\n"):
        head, _, body = chunk.lstrip("\n").partition(":\n")
        parts[head] = body
    return parts

infos, letters = {}, {}
for i in range(0, len(folders), 25):
    batch = folders[i:i+25]
    got = read_batch([f"/workspace/{f}/{n}" for f in batch for n in ("basic_info.csv", "recommendation_letter.txt")])
    for path, body in got.items():
        folder, name = path.split("/")[2:4]
        (infos if name.endswith(".csv") else letters)[folder] = body

print(len(infos), len(letters))
print("headers:", {b.strip().splitlines()[0] for b in infos.values()})
for f, body in letters.items():
    m = re.search(r"[^.]*final english grade.*?\.", body, re.I | re.S)
    print(repr(m.group(0).strip()) if m else ("NONE", f))
