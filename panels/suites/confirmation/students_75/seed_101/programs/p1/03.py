import re

out = []
for f in folders:
    csv_lines = fs.read_text_file(path="/workspace/" + f + "/basic_info.csv").strip().split("\n")
    sid, name, birth, email, toefl = csv_lines[1].split(",")[:5]
    letter = fs.read_text_file(path="/workspace/" + f + "/recommendation_letter.txt")
    sentence = [s for s in re.split(r"(?<=[.!?])\s", letter) if "final english grade" in s.lower()]
    after = re.split("final english grade", sentence[0], flags=re.I)[1]
    grade = re.findall(r"\b[SABCD]\b", after)[0]
    print(sid, name, toefl, grade, sentence)
    if grade in ("S", "A") and int(toefl) >= 100:
        out.append((sid, name, email))

out.sort()
print()
print(len(out), out)
fs.write_file(
    path="/workspace/qualified_students.txt",
    content="\n\n".join(f"Name: {n}\nID: {i}\nEmail: {e}" for i, n, e in out) + "\n",
)
print(fs.read_text_file(path="/workspace/qualified_students.txt"))
