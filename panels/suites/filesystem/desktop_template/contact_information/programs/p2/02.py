for f in files:
    if f not in rich and re.search(r"desk|seat|sits", texts[f], re.I):
        print("##", f)
        print(texts[f])
print([(f, texts[f].splitlines()[0]) for f in files if f.endswith(".csv")])
