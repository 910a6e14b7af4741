import re
drafts = {v: fs.read_text_file(path=f"/workspace/drafts/Supply_Agreement_v{v}.txt") for v in (5, 6, 7)}
for v, t in drafts.items():
    print(v, len(t), "clauses:", len(re.findall(r"^\d+\.\d+  ", t, re.M)), "brackets:", t.count("["), t.count("]"))
for line in drafts[5].splitlines():
    if re.search(r"\[[^\]]*:", line):
        print(line[:200])
