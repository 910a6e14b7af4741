import csv, io, re

PHONE = r"\(?\d{4}\)?[ /-]?\d{3}[ -]?\d{3}"

def digits(s):
    d = re.sub(r"\D", "", s)
    return d if len(d) == 10 else None

people = {}   # number -> name
facts = {}    # number -> {email, town, job}
desks = {}    # number -> desk
seats = {}    # desk -> job

def note(num, key, value):
    if num and value and value.strip():
        facts.setdefault(num, {})[key] = value.strip()

for p in files:
    text = texts[p]
    if p.endswith(".csv"):
        sep = ";" if ";" in text.split("\n")[0] else ","
        rows = [r for r in csv.reader(io.StringIO(text), delimiter=sep) if r]
        header = [h.strip().lower() for h in rows[0]]
        if header == ["desk", "job"]:
            for r in rows[1:]:
                seats[r[0].strip()] = r[1].strip()
            continue
        if "firm" in header:
            continue
        cols = {}
        for i, h in enumerate(header):
            if h in ("phone", "phone number", "mobile", "telephone", "tel"):
                cols["phone"] = i
            elif h in ("name", "full name"):
                cols["name"] = i
            elif h == "surname":
                cols["surname"] = i
            elif h in ("first name", "forename"):
                cols["first"] = i
            elif h in ("email", "e-mail", "mail"):
                cols["email"] = i
            elif h in ("town", "lives in"):
                cols["town"] = i
            elif h in ("job", "occupation"):
                cols["job"] = i
        if "phone" not in cols:
            continue
        print("table:", p, header)
        for r in rows[1:]:
            num = digits(r[cols["phone"]])
            if not num:
                continue
            if "name" in cols:
                people[num] = r[cols["name"]].strip()
            elif "surname" in cols:
                people[num] = r[cols["first"]].strip() + " " + r[cols["surname"]].strip()
            for key in ("email", "town", "job"):
                if key in cols:
                    note(num, key, r[cols[key]])
        continue

    lines = [l.strip() for l in text.strip().split("\n")]
    # cards
    card = dict(re.findall(r"^(Name|Phone|Email|Occupation|Town): (.*)$", text, re.M))
    if "Phone" in card:
        num = digits(card["Phone"])
        if "Name" in card:
            people[num] = card["Name"].strip()
        note(num, "email", card.get("Email"))
        note(num, "job", card.get("Occupation"))
        note(num, "town", card.get("Town"))
        print("card:", p, card)
    # letters
    elif "Yours," in lines:
        i = lines.index("Yours,")
        num = digits(lines[i + 2])
        people[num] = lines[i + 1]
        note(num, "town", lines[0].split(",")[0])
        print("letter:", p, lines[0], lines[i + 1:])
    else:
        for l in lines:
            m = re.match(r"desk (\d+): (%s)$" % PHONE, l)
            if m:
                desks[digits(m.group(2))] = m.group(1)
            m = re.match(r"(%s) writes from (\S+)$" % PHONE, l)
            if m:
                note(digits(m.group(1)), "email", m.group(2))

out = io.StringIO()
w = csv.writer(out, lineterminator="\n")
w.writerow(["name", "phone", "email", "town", "job"])
for num in sorted(people, key=lambda n: (people[n], n)):
    f = facts.get(num, {})
    job = f.get("job", "")
    if not job and num in desks:
        job = seats.get(desks[num], "")
        print("job from the seating plan:", people[num], num, desks[num], job)
    w.writerow([people[num], "%s-%s-%s" % (num[:4], num[4:7], num[7:]), f.get("email", ""), f.get("town", ""), job])
fs.write_file(path="/workspace/contacts.csv", content=out.getvalue())
print(len(people))
print(out.getvalue())
print("no name:", [n for n in facts if n not in people])
