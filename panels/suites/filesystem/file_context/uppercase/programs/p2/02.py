wanted = [f"text_{i:02d}.txt" for i in range(1, 11)]
source = {n: fs.read_text_file(path="/workspace/texts/" + n) for n in wanted}
print(source[wanted[0]])
special = sorted({ch for t in source.values() for ch in t if ord(ch) > 127})
print([(ch, ch.upper()) for ch in special])
print(sorted({w for t in source.values() for w in t.split() if not w.isalpha() and not any(c.isalnum() for c in w)}))
