import re
for d in ["scripts", "tables", "notes/plans", "notes/journal", "notes/reference"]:
    fs.create_directory(path="/workspace/projects/" + d)

for p in files:
    name = p.split("/")[-1]
    if name.endswith(".py"):
        target = "scripts"
    elif name.endswith(".csv"):
        target = "tables"
    elif name.endswith(".md"):
        lines = fs.read_text_file(path=p).split("\n")
        tasks = [l for l in lines if l.startswith("- [ ]")]
        entries = [l for l in lines if re.match(r"## \d{4}-\d{2}-\d{2}\s*$", l)]
        if len(tasks) >= 1:
            target = "notes/plans"
        elif len(entries) >= 2:
            target = "notes/journal"
        else:
            target = "notes/reference"
        print(name, len(tasks), len(entries), [l for l in lines if l.startswith("#") or "[" in l])
    else:
        continue
    fs.move_file(source=p, destination="/workspace/projects/" + target + "/" + name)
    print(p, "->", target)

for p in walk(json.loads(fs.directory_tree(path="/workspace")), "/workspace"):
    print(p)
