old = []
for year in range(90, 100):
    old += fs.search_files(path="/workspace/papers", pattern=f"{year}??.*.html").splitlines()
for year in range(0, 23):
    hit = fs.search_files(path="/workspace/papers", pattern=f"{year:02d}??.*.html")
    if hit.startswith("/"):
        old += hit.splitlines()
old = [p for p in old if p.startswith("/")]
print(len(old))
print(old)
print(fs.read_text_file(path=old[0], head=22))
