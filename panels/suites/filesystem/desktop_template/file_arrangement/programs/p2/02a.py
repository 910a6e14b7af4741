import re
from collections import defaultdict

def place(name, text):
    lines = text.splitlines()
    if any(2000 <= int(y) <= 2022 for y in re.findall(r"(?<!\d)\d{4}(?!\d)", name)):
        return "archive"
    if name.startswith(("tmp", "draft")) or (lines and lines[0] == "DRAFT"):
        return "temporary"
    if name.startswith("office") or any(l.startswith("Cost centre:") for l in lines):
        return "work"
    if any(l.startswith("Household:") for l in lines):
        return "home"
    return "other"

plan = defaultdict(list)
for n in names:
    plan[place(n, texts[n])].append(n)
for folder in plan:
    print(folder, len(plan[folder]))
    for n in plan[folder]:
        print("    ", n, "|", [l for l in texts[n].splitlines() if re.search("draft|cost centre|household", l, re.I)])
