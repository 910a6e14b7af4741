groups = defaultdict(list)
for s, g in same.items():
    for f in g:
        groups[fs.read_text_file(path="/workspace/" + f)].append(f)
doubles = [sorted(g) for g in groups.values() if len(g) > 1]
fs.create_directory(path="/workspace/duplicates")
for keep, *rest in doubles:
    print("keep", keep)
    for f in rest:
        print("   move", f)
        fs.move_file(source="/workspace/" + f, destination="/workspace/duplicates/" + f.rsplit("/", 1)[-1])
print(fs.list_directory(path="/workspace/duplicates"))
