from datetime import date
NAMES = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
NUM = {}
for i, n in enumerate(NAMES, 1):
    NUM[n] = NUM[n[:3]] = i
MON = "(?:" + "|".join(sorted(NUM, key=len, reverse=True)) + ")"
DATE = re.compile(rf"""
    (?<![\d./-])2025-(?P<im>\d\d)-(?P<iday>\d\d)(?![\d-])
  | (?<![\d./-])2025/(?P<sm>\d\d)/(?P<sday>\d\d)(?![\d/])
  | (?<![\d./-])(?P<dd>\d\d)\.(?P<dm>\d\d)\.2025(?!\d)
  | (?<!\d)(?P<a>\d{{1,2}})\ to\ (?P<b>\d{{1,2}})\ (?P<rm>{MON})\ 2025(?!\d)
  | (?<!\d)(?P<d>\d{{1,2}})\s(?P<m>{MON})\s2025(?!\d)
  | \b(?P<m2>{MON})\s(?P<d2>\d{{1,2}}),\s2025(?!\d)
  | \b(?P<m3>{MON})\s2025(?!\d)
""", re.X)

def dates_in(text):
    out, spans = set(), []
    for x in DATE.finditer(text):
        g = x.groupdict()
        if g["im"]: pairs = [(g["im"], g["iday"])]
        elif g["sm"]: pairs = [(g["sm"], g["sday"])]
        elif g["dm"]: pairs = [(g["dm"], g["dd"])]
        elif g["rm"]: pairs = [(NUM[g["rm"]], g["a"]), (NUM[g["rm"]], g["b"])]
        elif g["m"]: pairs = [(NUM[g["m"]], g["d"])]
        elif g["m2"]: pairs = [(NUM[g["m2"]], g["d2"])]
        else: pairs = [(NUM[g["m3"]], 1)]
        out |= {date(2025, int(m), int(d)) for m, d in pairs}
        spans.append(x.span())
    return out, spans

timeline = []
for f, t in texts.items():
    found, spans = dates_in(t)
    timeline += [(d.isoformat(), f[len("/workspace/"):]) for d in found]
    for y in re.finditer("2025", t):
        if not any(s <= y.start() < e for s, e in spans):
            print("no date:", t[max(0, y.start() - 20):y.end() + 15].replace("\n", " / "))
print(len(timeline))
