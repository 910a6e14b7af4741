PLACEHOLDERS = ("Date", "Amount", "Clause", "Schedule", "Annex")
people = sorted(l for l in labels if l != "All parties" and " " in l and not any(ch.isdigit() for ch in l) and l.split()[0] not in PLACEHOLDERS)
print(people)

def clauses(text):
    for block in re.split(r"\n[ \t]*\n", text):
        m = re.match(r"\s*(\d+\.\d+)  ", block)
        if m:
            yield m.group(1), block

wanted = ["1.1", "1.11", "4.1", "4.12", "6.3", "8.11"]
count = {p: dict.fromkeys(wanted, 0) for p in people}
active = set()
for d in drafts:
    for number, block in clauses(d):
        for who in re.findall(r"\[([^\[\]:]+):", block):
            if who in count:
                active.add(who)
                if number in wanted:
                    count[who][number] += 1
print("active:", sorted(active))
