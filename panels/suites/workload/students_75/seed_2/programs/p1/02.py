import re

def parse_info(text):
    head, row = text.strip().splitlines()[:2]
    keys = head.split(",")
    vals = row.split(",")
    return dict(zip(keys[:5], vals[:5]))

candidates = []
for e in entries:
    d = e.replace("[DIR] ", "")
    info = parse_info(fs.read_text_file(path="/workspace/" + d + "/basic_info.csv"))
    if int(info["toefl"]) >= 100:
        candidates.append((d, info))
print(len(candidates), "with TOEFL >= 100")

result = []
for d, info in candidates:
    letter = fs.read_text_file(path="/workspace/" + d + "/recommendation_letter.txt")
    pos = letter.lower().find("final english grade")
    rest = letter[pos + len("final english grade"):]
    grade = re.search(r"\b[SABCD]\b", rest).group(0)
    print(info["student_id"], info["name"], info["toefl"], grade, "|", rest[:40].replace("\n", " "))
    if grade in ["S", "A"]:
        result.append(info)
