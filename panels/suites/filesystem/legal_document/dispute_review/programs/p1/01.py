import re
texts = {}
for v in (5, 6, 7):
    texts[v] = fs.read_text_file(path="/workspace/drafts/Supply_Agreement_v%d.txt" % v)
    print(v, len(texts[v]))
print(texts[5][:3000])
for v in (5, 6, 7):
    starts = re.findall(r"\[[^\[\]:]*:?", texts[v])
    counts = {}
    for s in starts:
        counts[s] = counts.get(s, 0) + 1
    print(v, counts)
