import re
names = ["Supply_Agreement_v%d.txt" % v for v in (5, 6, 7)]
drafts = [fs.read_text_file(path="/workspace/drafts/" + n) for n in names]
i = drafts[0].find("\n4.1  ")
print(drafts[0][i:i + 3000])
labels = set()
for d in drafts:
    labels |= set(re.findall(r"\[([^\[\]:]+):", d))
print(sorted(labels))
