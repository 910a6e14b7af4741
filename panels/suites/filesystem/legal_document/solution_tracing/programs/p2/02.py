import re

CLAUSES = ("4.1", "4.12", "6.3", "8.11")
versions = {v: fs.read_text_file(path=f"/workspace/drafts/Supply_Agreement_v{v}.txt") for v in range(11)}

def clause(text, number):
    m = re.search(r"^" + re.escape(number) + r"  .*?(?=\n[ \t]*\n|\Z)", text, re.M | re.S)
    return m.group(0)

def comments(body):
    out, depth, start = [], 0, 0
    for i, ch in enumerate(body):
        if ch == "[":
            if depth == 0:
                start = i + 1
            depth += 1
        elif ch == "]" and depth:
            depth -= 1
            if depth == 0:
                m = re.match(r"([^:\[\]]+): (.*)", body[start:i], re.S)
                if m and m.group(1) != "Date" and not m.group(1).startswith("Clause"):
                    out.append((m.group(1), " ".join(m.group(2).split())))
    return out

history = {}
for c in CLAUSES:
    print("#####", c)
    seen = {}
    for v in range(11):
        for who, what in comments(clause(versions[v], c)):
            if (who, what) not in seen:
                seen[(who, what)] = v
                print(f"v{v} {who}: {what}")
    history[c] = seen
