import re, html

papers = {}
for f in files:
    year = 2000 + int(f[:2]) if int(f[:2]) < 90 else 1900 + int(f[:2])
    if year >= 2023:
        continue
    page = fs.read_text_file(path="/workspace/papers/" + f)
    authors = []
    for a in re.findall(r'<meta name="citation_author" content="([^"]*)">', page):
        family, given = html.unescape(a).split(", ")
        authors.append(given + " " + family)
    title = html.unescape(re.search(r'<h1 class="title">(.*?)</h1>', page, re.S).group(1))
    papers.setdefault(year, []).append((f[:-len(".html")], authors, title))

summary = "| year | papers | authors |\n|---|---|---|\n"
everyone = set()
total = 0
for year in sorted(papers):
    folder = "/workspace/legacy/%d" % year
    fs.create_directory(path=folder)
    index = "| id | authors | title |\n|---|---|---|\n"
    people = set()
    for pid, authors, title in sorted(papers[year]):
        fs.move_file(source="/workspace/papers/" + pid + ".html", destination=folder + "/" + pid + ".html")
        names = ", ".join(authors[:3])
        if len(authors) > 3:
            names += " et al."
        index += "| %s | %s | %s |\n" % (pid, names, title)
        people.update(authors)
    fs.write_file(path=folder + "/INDEX.md", content=index)
    print(index)
    summary += "| %d | %d | %d |\n" % (year, len(papers[year]), len(people))
    total += len(papers[year])
    everyone |= people

summary += "| total | %d | %d |\n" % (total, len(everyone))
fs.write_file(path="/workspace/legacy/SUMMARY.md", content=summary)
print(summary)
