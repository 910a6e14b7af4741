found = {}
for ext in ("py", "csv", "md"):
    found[ext] = fs.search_files(path="/workspace", pattern=f"**/*.{ext}").splitlines()
    print(ext, len(found[ext]))
    for p in found[ext]:
        print("  ", p)
print(fs.list_directory(path="/workspace"))
