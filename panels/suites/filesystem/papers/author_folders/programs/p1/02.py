import re, html

pages = {}
by_author = {}
by_author_2025 = {}
for f in files:
    page = fs.read_text_file(path="/workspace/papers/" + f)
    pages[f] = page
    authors = []
    for a in re.findall(r'<meta name="citation_author" content="([^"]*)">', page):
        family, given = html.unescape(a).split(", ")
        authors.append(given + " " + family)
    date = re.search(r'<meta name="citation_date" content="([^"]*)">', page).group(1)
    for a in authors:
        by_author.setdefault(a, []).append(f)
        if date.startswith("2025/"):
            by_author_2025.setdefault(a, []).append(f)

frequent = {a: fl for a, fl in by_author.items() if len(fl) >= 4}
recent = {a: fl for a, fl in by_author_2025.items() if len(fl) >= 3}
print("frequent:", {a: len(fl) for a, fl in frequent.items()})
print("2025:", {a: len(fl) for a, fl in recent.items()})

for base, group in (("/workspace/frequent_authors", frequent), ("/workspace/authors_2025", recent)):
    for a, fl in group.items():
        folder = base + "/" + a.replace(" ", "_")
        fs.create_directory(path=folder)
        for f in fl:
            fs.write_file(path=folder + "/" + f, content=pages[f])
        print(folder)
        print(fs.list_directory(path=folder))
