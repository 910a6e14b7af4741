import re, html

class Paper:
    def __init__(self, path):
        self.path = path
        self.file = path.rsplit("/", 1)[1]
        self.id = self.file[:-len(".html")]
        self.year = (1900 if int(self.id[:2]) > 90 else 2000) + int(self.id[:2])
        page = fs.read_text_file(path=path, head=60)
        self.title = html.unescape(re.sub(r"<[^>]+>", "", re.search(r'<h1 class="title">(.*?)</h1>', page, re.S).group(1))).strip()
        self.authors = [html.unescape(a).strip() for a in re.search(r'<div class="authors">(.*?)</div>', page, re.S).group(1).split(",")]

    def row(self):
        names = ", ".join(self.authors[:3]) + (" et al." if len(self.authors) > 3 else "")
        return f"| {self.id} | {names} | {self.title} |"

papers = sorted((Paper(p) for p in old), key=lambda p: (p.year, p.id))
for p in papers:
    print(p.year, p.row())
