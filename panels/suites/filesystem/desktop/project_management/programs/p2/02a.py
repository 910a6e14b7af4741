import re
ROOT = "/workspace/projects"

def kind_of_note(text):
    lines = text.splitlines()
    if any(l.startswith("- [ ]") for l in lines):
        return "plans"
    if sum(bool(re.match(r"## \d{4}-\d{2}-\d{2}\s*$", l)) for l in lines) >= 2:
        return "journal"
    return "reference"

plan = [(p, f"{ROOT}/scripts") for p in found["py"] if p.endswith(".py")]
plan += [(p, f"{ROOT}/tables") for p in found["csv"] if p.endswith(".csv")]
for p in found["md"]:
    if p.endswith(".md"):
        text = fs.read_text_file(path=p)
        kind = kind_of_note(text)
        plan.append((p, f"{ROOT}/notes/{kind}"))
        marks = [l for l in text.splitlines() if re.match(r"\s*([-*] ?\[|#)", l)]
        print(kind, p, marks)
