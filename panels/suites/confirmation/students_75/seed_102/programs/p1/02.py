import re
pattern = re.compile(r"[Ff]inal English grade(?:\s+\w+)*?[\s:]+([SABCD])\b")
chosen = []
for s in students:
    head, row = fs.read_text_file(path=f"/workspace/{s}/basic_info.csv").strip().splitlines()
    rec = dict(zip(head.split(","), row.split(",")))
    if int(rec["toefl"]) < 100:
        continue
    letter = fs.read_text_file(path=f"/workspace/{s}/recommendation_letter.txt")
    m = pattern.search(letter)
    if m is None:
        i = letter.lower().find("final english grade")
        print("??", s, letter[i:i + 80])
        continue
    print(rec["student_id"], rec["name"], rec["toefl"], m.group(0))
    if m.group(1) in ("S", "A"):
        chosen.append(rec)
print(len(chosen))
