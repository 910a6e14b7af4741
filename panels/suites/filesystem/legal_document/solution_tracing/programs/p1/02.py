clauses = ["4.1", "4.12", "6.3", "8.11"]
drafts = []
for v in range(11):
    drafts.append(fs.read_text_file(path="/workspace/drafts/Supply_Agreement_v%d.txt" % v))

def clause_text(draft, number):
    for block in draft.split("\n\n"):
        block = block.strip()
        if block.startswith(number + "  "):
            return block
    return None

for c in clauses:
    print("=====", c)
    for v in range(11):
        print("v%d:" % v, clause_text(drafts[v], c))
        print()
