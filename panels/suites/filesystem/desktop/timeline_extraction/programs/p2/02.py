import re
texts = {}
for i in range(0, len(files), 20):
    for f in files[i:i+20]:
        texts[f] = fs.read_text_file(path=f)
MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
for f, t in texts.items():
    for m in re.finditer(rf"\d[\d./-]*\d{{2,}}|\b(?:{MONTHS})[a-z]*\b", t):
        around = t[max(0, m.start() - 25):m.end() + 25].replace("\n", " / ")
        if re.search(r"20\d\d", around):
            print(f[11:], "|", around)
