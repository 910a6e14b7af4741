import re
UNIT = {"B": 1, "KB": 1024, "MB": 1024 ** 2}
sizes = {}
for line in fs.list_directory_with_sizes(path="/workspace").splitlines():
    m = re.match(r"\[FILE\] (.+?)\s+([\d.]+) (B|KB|MB)$", line)
    if m:
        sizes[m.group(1)] = float(m.group(2)) * UNIT[m.group(3)]
print(len(sizes))

def shelf(n):
    return "small" if sizes[n] < 300 else "medium" if sizes[n] <= 700 else "large"

for folder in ("small", "medium", "large"):
    group = [n for n in sizes if shelf(n) == folder]
    print(folder, len(group), min(sizes[n] for n in group), max(sizes[n] for n in group))
