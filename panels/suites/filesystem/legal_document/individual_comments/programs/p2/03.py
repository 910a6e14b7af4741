for v, d in zip((5, 6, 7), drafts):
    for number, block in clauses(d):
        if number in wanted:
            print(v, number, re.findall(r"\[[^\[\]]*", block))
