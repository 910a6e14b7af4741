import re
students = []
batch = 15
for i in range(0, len(folders), batch):
    chunk = folders[i:i + batch]
    infos = fs.read_multiple_files(paths=[f"{root}/{f}/basic_info.csv" for f in chunk])
    letters = fs.read_multiple_files(paths=[f"{root}/{f}/recommendation_letter.txt" for f in chunk])
    info_parts = infos.split("\n---\n")
    letter_parts = letters.split("\n---\n")
    assert len(info_parts) == len(letter_parts) == len(chunk)
    for f, ip, lp in zip(chunk, info_parts, letter_parts):
        ls = ip.strip().splitlines()
        values = ls[2].split(",")
        students.append({"folder": f, "path": ls[0], "header": ls[1], "id": values[0], "name": values[1],
                         "email": values[3], "toefl": values[4], "letter": lp})
print(len(students))
print(set(s["header"] for s in students))
phrases = set()
for s in students:
    for m in re.findall(r"final english grade[^.]*\.", s["letter"], re.I):
        phrases.add(m)
for p in sorted(phrases):
    print(p)
