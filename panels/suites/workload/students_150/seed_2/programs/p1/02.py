records = []
phr = {}
for s in students:
    info = fs.read_text_file(path=f"/workspace/{s}/basic_info.csv")
    letter = fs.read_text_file(path=f"/workspace/{s}/recommendation_letter.txt")
    header, line = info.strip().split("\n")
    fields = line.split(",")
    m = re.search(r"(final english grade)([^.]*)", letter, re.I)
    tail = m.group(2)
    g = re.search(r"\b([SABCD])\b", tail)
    grade = g.group(1) if g else None
    key = re.sub(r"\b[SABCD]\b", "_", tail)
    phr[key] = phr.get(key, 0) + 1
    records.append({"id": fields[0], "name": fields[1], "email": fields[3], "toefl": int(fields[4]), "grade": grade, "folder": s})
print(len(records))
print(phr)
print([r for r in records if r["grade"] is None])
print([r["folder"] for r in records if r["folder"] != r["id"] + "_" + r["name"].replace(" ", "_")])
