from collections import Counter

def top_brackets(s):
    depth, start = 0, None
    for i, ch in enumerate(s):
        if ch == "[":
            depth += 1
            if depth == 1:
                start = i
        elif ch == "]":
            depth -= 1
            if depth == 0:
                yield s[start + 1:i]

labels = Counter()
found = []
for v, t in drafts.items():
    for block in re.split(r"\n\s*\n", t):
        m = re.match(r"\s*(\d+\.\d+)  ", block)
        for b in top_brackets(block):
            label = re.match(r"([^:\[\]]+):\s", b)
            if label:
                labels[label.group(1)] += 1
                found.append((v, m.group(1) if m else None, label.group(1), b))
for l, n in labels.most_common():
    print(n, l)
print([f for f in found if f[1] is None])
