sizes = []
for f in files:
    info = fs.get_file_info(path="/workspace/snippets/" + f)
    size = int(info.split("\n")[0][len("size: "):])
    sizes.append((size, f))
sizes.sort()
print(sizes[:12])
smallest = sorted(f for size, f in sizes[:10])
merged = ""
for f in smallest:
    merged += "==> " + f + " <==\n" + fs.read_text_file(path="/workspace/snippets/" + f)
fs.write_file(path="/workspace/merged.txt", content=merged)
print(merged)
