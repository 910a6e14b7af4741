import csv, io
from collections import defaultdict

def norm(s):
    d = re.sub(r"\D", "", s)
    return f"{d[:4]}-{d[4:7]}-{d[7:]}" if len(d) == 10 else None

KEYS = {"phone": ("phone", "mobile", "telephone", "tel", "phone number", "call", "number"),
        "name": ("name", "full name"),
        "first": ("first name", "forename", "given name"),
        "last": ("surname", "last name", "family name"),
        "email": ("email", "e-mail", "mail", "mail address"),
        "town": ("town", "lives in", "city", "place"),
        "job": ("job", "occupation", "profession", "trade"),
        "firm": ("firm", "company", "shop")}

def key(head):
    h = head.strip().lower()
    return next((k for k, words in KEYS.items() if h in words), h)

facts = defaultdict(dict)
def learn(phone, **kw):
    for k, v in kw.items():
        if v:
            if facts[phone].get(k, v) != v:
                print("conflict", phone, k, facts[phone][k], v)
            facts[phone][k] = v

desks, seats = {}, {}
for f in files:
    t = texts[f].strip()
    lines = t.splitlines()
    if f.endswith(".csv"):
        rows = list(csv.reader(io.StringIO(t), delimiter=";" if ";" in lines[0] else ","))
        head = [key(h) for h in rows[0]]
        for r in rows[1:]:
            rec = dict(zip(head, [c.strip() for c in r]))
            if "desk" in rec and "job" in rec:
                seats[rec["desk"]] = rec["job"]
            phone = norm(rec.get("phone", ""))
            if not phone or "firm" in rec:
                continue
            name = rec.get("name") or (rec["first"] + " " + rec["last"] if "first" in rec else None)
            learn(phone, name=name, email=rec.get("email"), town=rec.get("town"), job=rec.get("job"))
        continue
    card = {key(a): b.strip() for a, b in re.findall(r"^([A-Z][A-Za-z -]*): (.+)$", t, re.M)}
    if norm(card.get("phone", "")):
        learn(norm(card["phone"]), **{k: card[k] for k in ("name", "email", "town", "job") if k in card})
        continue
    for l in lines:
        m = re.match(r"(?:desk|seat) (\d+): (.+)", l, re.I)
        if m:
            if norm(m.group(2)):
                desks[norm(m.group(2))] = m.group(1)
            else:
                seats[m.group(1)] = m.group(2)
        m = re.match(r"([\d ()/-]+?) writes from (\S+@\S+)", l)
        if m and norm(m.group(1)):
            learn(norm(m.group(1)), email=m.group(2))
    if len(lines) > 3 and norm(lines[-1]) and "Dear " in t:
        learn(norm(lines[-1]), name=lines[-2].strip(), town=lines[0].split(",")[0])

for phone, r in facts.items():
    if "name" in r and "job" not in r and phone in desks:
        r["job"] = seats[desks[phone]]
        print("by desk:", r)
people = sorted((r["name"], phone) for phone, r in facts.items() if "name" in r)
print(len(people), "people,", len(facts), "numbers")
print([p for p in facts if "name" not in facts[p]])
