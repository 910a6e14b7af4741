months = ["January", "February", "March", "April", "May", "June", "July", "August",
          "September", "October", "November", "December"]
number = {}
for i, m in enumerate(months):
    number[m] = i + 1
    number[m[:3]] = i + 1
names = "|".join(sorted(number, key=len, reverse=True))

def dates_in(text):
    found = set()
    for m in re.finditer(r"(?<![\d/-])2025([-/])(\d{2})\1(\d{2})(?![\d/-])", text):
        found.add((int(m.group(2)), int(m.group(3))))
    for m in re.finditer(r"(?<![\d.])(\d{2})\.(\d{2})\.2025(?!\d)", text):
        found.add((int(m.group(2)), int(m.group(1))))
    for m in re.finditer(r"\b(?:(\d{1,2})\s+to\s+)?(?:(\d{1,2})\s+)?(%s)\s+2025\b" % names, text):
        first, day, month = m.groups()
        if first:
            found.add((number[month], int(first)))
        found.add((number[month], int(day) if day else 1))
    for m in re.finditer(r"\b(%s)\s+(\d{1,2}),\s+2025\b" % names, text):
        found.add((number[m.group(1)], int(m.group(2))))
    return found

lines = []
for p in files:
    for month, day in dates_in(texts[p]):
        date = "2025-%02d-%02d" % (month, day)
        lines.append((date, p[len("/workspace/"):]))
lines.sort()
out = "\n".join(p + ":" + d for d, p in lines) + "\n"
fs.write_file(path="/workspace/timeline.txt", content=out)
print(len(lines))
print(out)
