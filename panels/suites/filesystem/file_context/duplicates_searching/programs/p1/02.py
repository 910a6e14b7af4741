fs.create_directory(path="/workspace/duplicates")
moved = 0
for text, paths in groups.items():
    for p in sorted(paths)[1:]:
        fs.move_file(source=p, destination="/workspace/duplicates/" + p.split("/")[-1])
        moved += 1
print(moved)
left = walk(json.loads(fs.directory_tree(path="/workspace")), "/workspace")
print(len(left), len([p for p in left if p.startswith("/workspace/duplicates/")]))
