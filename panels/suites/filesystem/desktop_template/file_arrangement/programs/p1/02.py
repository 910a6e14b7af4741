import re
folders = ["archive", "temporary", "work", "home", "other"]
for d in folders:
    fs.create_directory(path="/workspace/" + d)

for f in files:
    text = fs.read_text_file(path="/workspace/" + f)
    lines = text.split("\n")
    years = [int(y) for y in re.findall(r"(?<!\d)\d{4}(?!\d)", f)]
    if any(2000 <= y <= 2022 for y in years):
        target = "archive"
    elif f.startswith("tmp") or f.startswith("draft") or lines[0] == "DRAFT":
        target = "temporary"
    elif any(l.startswith("Cost centre:") for l in lines) or f.startswith("office"):
        target = "work"
    elif any(l.startswith("Household:") for l in lines):
        target = "home"
    else:
        target = "other"
    fs.move_file(source="/workspace/" + f, destination="/workspace/" + target + "/" + f)

print(fs.list_directory(path="/workspace"))
for d in folders:
    print(d)
    print(fs.list_directory(path="/workspace/" + d))
