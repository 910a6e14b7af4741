rows = ["name," + ",".join(wanted)]
for p in sorted(active):
    rows.append(",".join([p] + [str(count[p][c]) for c in wanted]))
fs.write_file(path="/workspace/individual_comments.csv", content="\n".join(rows) + "\n")
print(fs.read_text_file(path="/workspace/individual_comments.csv"))
