copies = fs.search_files(path="/workspace", pattern="*_*/*/*.html").splitlines()
print(len(copies), sum(map(len, frequent.values())) + sum(map(len, recent.values())))
bad = [c for c in copies if fs.read_text_file(path=c).strip() != papers[c.rsplit("/", 1)[1]]["text"].strip()]
print("different:", bad)
print(fs.list_directory(path="/workspace"))
