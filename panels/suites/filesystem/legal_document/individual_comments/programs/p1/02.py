clauses = ["1.1", "1.11", "4.1", "4.12", "6.3", "8.11"]
counts = {}
for v in (5, 6, 7):
    for block in texts[v].split("\n\n"):
        block = block.strip()
        m = re.match(r"(\d+\.\d+)  ", block)
        speakers = re.findall(r"\[([^\[\]:\d]+ [^\[\]:\d]+):", block)
        for s in speakers:
            if s == "All parties":
                continue
            if s not in counts:
                counts[s] = {c: 0 for c in clauses}
            if m and m.group(1) in clauses:
                counts[s][m.group(1)] += 1

out = "name," + ",".join(clauses) + "\n"
for name in sorted(counts):
    out += name + "," + ",".join(str(counts[name][c]) for c in clauses) + "\n"
fs.write_file(path="/workspace/individual_comments.csv", content=out)
print(out)
