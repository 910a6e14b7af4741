counts = {}
for v in (5, 6, 7):
    for block in texts[v].split("\n\n"):
        block = block.strip()
        m = re.match(r"(\d+\.\d+)  ", block)
        speakers = re.findall(r"\[([^\[\]:\d]+ [^\[\]:\d]+):", block)
        if not m:
            if speakers:
                print("outside a clause:", block[:100], speakers)
            continue
        if speakers:
            print(v, m.group(1), speakers)
            counts[m.group(1)] = counts.get(m.group(1), 0) + len(speakers)

order = sorted(counts, key=lambda c: [int(x) for x in c.split(".")])
out = "\n".join("%s:%d" % (c, counts[c]) for c in order) + "\n"
fs.write_file(path="/workspace/dispute_review.txt", content=out)
print(out)
print(sum(counts.values()))
