import re, html

def abstract(path):
    page = fs.read_text_file(path=path, head=60)
    m = re.search(r'<section class="abstract">(.*?)</section>', page, re.S)
    return html.unescape(re.sub(r"<[^>]+>", " ", m.group(1))).split("Abstract", 1)[1].strip()

abstracts = {f.rsplit("/", 1)[1]: abstract(f) for f in files}
cand = {n: a for n, a in abstracts.items() if re.search(r"language model|LLM", a, re.I) and re.search(r"math|arithmetic|word problem", a, re.I)}
print(len(cand))
for n, a in cand.items():
    print(n, a, "\n")
