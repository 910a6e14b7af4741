import re, html
from collections import defaultdict

def read_batch(names):
    out = fs.read_multiple_files(paths=[f"/workspace/papers/{n}" for n in names])
    return out

def meta(page, field):
    return [html.unescape(x) for x in re.findall(rf'<meta name="{field}" content="([^"]*)">', page)]

papers = {}
for n in ids:
    page = fs.read_text_file(path="/workspace/papers/" + n)
    authors = [" ".join(reversed(a.split(", ", 1))) for a in meta(page, "citation_author")]
    papers[n] = {"text": page, "authors": authors, "date": meta(page, "citation_date")[0]}

frequent, recent = defaultdict(list), defaultdict(list)
for n, p in papers.items():
    for a in p["authors"]:
        frequent[a].append(n)
        if p["date"].startswith("2025"):
            recent[a].append(n)
frequent = {a: v for a, v in frequent.items() if len(v) >= 4}
recent = {a: v for a, v in recent.items() if len(v) >= 3}
print("frequent", {a: len(v) for a, v in frequent.items()})
print("2025", {a: len(v) for a, v in recent.items()})
print("listed authors agree:", all(", ".join(p["authors"]) == html.unescape(re.search(r'<div class="authors">(.*?)</div>', p["text"], re.S).group(1)).strip() for p in papers.values()))
