import re

def comments(text):
    return re.findall(r"\[([A-Z]\S* [^\[\]:]+): ((?:[^\[\]]|\[[^\[\]]*\])*)\]", text)

def words(s):
    return re.findall(r"[a-z0-9'-]+", s.lower())

def common_run(a, b):
    best = []
    for i in range(len(a)):
        for j in range(len(b)):
            k = 0
            while i + k < len(a) and j + k < len(b) and a[i + k] == b[j + k] and not a[i + k].isdigit():
                k += 1
            if k > len(best):
                best = a[i:i + k]
    return best

result = ["clause,version,name"]
for c in clauses:
    final = clause_text(drafts[10], c)
    solution = final.split(". ")[1]
    agreed = None
    for v in range(11):
        for who, what in comments(clause_text(drafts[v], c)):
            if who == "All parties":
                agreed = what
    idea = " ".join(common_run(words(agreed), words(solution)))
    print(c, "|", solution, "|", agreed, "|", idea)
    found = None
    for v in range(11):
        for who, what in comments(clause_text(drafts[v], c)):
            if who != "All parties" and found is None and idea in " ".join(words(what)):
                found = (v, who, what)
    print("   ", found)
    result.append("%s,%d,%s" % (c, found[0], found[1]))

fs.write_file(path="/workspace/solution_tracing.csv", content="\n".join(result) + "\n")
print("\n".join(result))
