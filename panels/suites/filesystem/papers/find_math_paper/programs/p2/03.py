wide = {n: a for n, a in abstracts.items() if n not in cand and re.search(r"language model|LLM|models? fail|benchmark|teachers?\b|word problem", a, re.I)}
print(len(wide))
for n, a in wide.items():
    print(n, a, "\n")
