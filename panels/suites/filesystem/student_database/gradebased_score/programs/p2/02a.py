SUBJECTS = ["literature", "mathematics", "english", "physics", "history"]

def grade(score):
    for low, letter in ((90, "A"), (80, "B"), (70, "C"), (60, "D")):
        if score >= low:
            return letter
    return "F"

students = []
for lines in data.values():
    f = lines[1].split(",")
    scores = [int(x) for x in f[-5:]]
    students.append((f[0], f[1], [grade(s) for s in scores]))
students.sort()
tally = {s: Counter(st[2][i] for st in students) for i, s in enumerate(SUBJECTS)}
print(len(students), students[:3])
