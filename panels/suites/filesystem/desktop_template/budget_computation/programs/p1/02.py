import csv, io, re

def price(s):
    m = re.search(r"EUR (\d+\.\d\d)|(\d+\.\d\d) EUR|€(\d+\.\d\d)|(\d+,\d\d) €", s)
    if not m:
        return None
    value = [g for g in m.groups() if g][0].replace(",", ".")
    return int(value.replace(".", ""))

budget = {}
for p in files:
    text = texts[p]
    lines = [l.strip() for l in text.split("\n")]
    if p.endswith(".csv"):
        rows = [r for r in csv.reader(io.StringIO(text)) if r]
        if ["paid by", "household"] not in [r[:2] for r in rows]:
            continue
        for r in rows:
            if r[0] == "total":
                budget[p] = int(r[1].replace(".", ""))
    else:
        if "Paid by: household" not in lines and "from the household purse." not in text:
            continue
        totals = [l for l in lines if l.startswith("Total:")]
        offers = [l for l in lines if l.startswith("Offer from ")]
        if totals:
            budget[p] = price(totals[0])
        elif offers:
            budget[p] = min(price(l) for l in offers if "(sold out)" not in l)
        else:
            budget[p] = price(text)

out = []
for p in sorted(budget):
    out.append("%s;%d.%02d" % (p[len("/workspace/"):], budget[p] // 100, budget[p] % 100))
total = sum(budget.values())
out.append("total;%d.%02d" % (total // 100, total % 100))
fs.write_file(path="/workspace/budget.txt", content="\n".join(out) + "\n")
print(len(budget))
print("\n".join(out))
