for d in sorted({d for p, d in plan}):
    fs.create_directory(path=d)
for p, d in plan:
    fs.move_file(source=p, destination=d + "/" + p.rsplit("/", 1)[1])
print(len(plan), "moved")
print(fs.search_files(path=ROOT, pattern="**/*"))
for ext in ("py", "csv", "md"):
    print(ext, "left:", [p for p in fs.search_files(path="/workspace", pattern=f"**/*.{ext}").splitlines() if not p.startswith(ROOT) and p.endswith("." + ext)])
