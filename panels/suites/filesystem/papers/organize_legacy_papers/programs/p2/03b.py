def line(label, group):
    return f"| {label} | {len(group)} | {len({a for p in group for a in p.authors})} |"

summary = ["| year | papers | authors |", "|---|---|---|"]
summary += [line(y, [p for p in papers if p.year == y]) for y in years]
summary.append(line("total", papers))
fs.write_file(path="/workspace/legacy/SUMMARY.md", content="\n".join(summary) + "\n")
print(fs.read_text_file(path="/workspace/legacy/SUMMARY.md"))
print(len(fs.list_directory(path="/workspace/papers").splitlines()), "papers left")
