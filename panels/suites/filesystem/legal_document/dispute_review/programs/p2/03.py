def is_speaker(label):
    return label == "All parties" or bool(re.fullmatch(r"[^\W\d_][^\d]*( [^\W\d_][^\d]*)+", label)) and all(w[0].isupper() for w in label.split())

counts = Counter(c for v, c, label, b in found if c and is_speaker(label))
print("speakers:", [l for l in labels if is_speaker(l)])
print("left out:", [l for l in labels if not is_speaker(l)])
order = sorted(counts, key=lambda c: [int(x) for x in c.split(".")])
fs.write_file(path="/workspace/dispute_review.txt", content="".join(f"{c}:{counts[c]}\n" for c in order))
print(fs.read_text_file(path="/workspace/dispute_review.txt"))
