years = sorted({p.year for p in papers})
for y in years:
    folder = f"/workspace/legacy/{y}"
    fs.create_directory(path=folder)
    mine = [p for p in papers if p.year == y]
    for p in mine:
        fs.move_file(source=p.path, destination=f"{folder}/{p.file}")
    fs.write_file(path=folder + "/INDEX.md", content="\n".join(["| id | authors | title |", "|---|---|---|"] + [p.row() for p in mine]) + "\n")
    print(fs.list_directory(path=folder))
