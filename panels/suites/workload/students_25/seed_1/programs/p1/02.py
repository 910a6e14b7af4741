import re
rows = []
for d in dirs:
    csv_text = fs.read_text_file(path=f"/workspace/{d}/basic_info.csv")
    letter = fs.read_text_file(path=f"/workspace/{d}/recommendation_letter.txt")
    lines = csv_text.strip().splitlines()
    rec = dict(zip(lines[0].split(","), lines[1].split(",")))
    found = re.findall(r"[Ff]inal English grade[^.\n]*", letter)
    print(d, rec["toefl"], found)
    rows.append((rec, letter))
