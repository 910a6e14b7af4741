import re, html

abstracts = {}
for f in files:
    page = fs.read_text_file(path="/workspace/papers/" + f)
    m = re.search(r'<section class="abstract">(.*?)</section>', page, re.S)
    a = html.unescape(re.sub(r"<[^>]+>", " ", m.group(1)))
    abstracts[f] = " ".join(a.split())

for f, a in abstracts.items():
    if "language model" in a.lower() or "word problem" in a.lower():
        print(f, a)
        print()
