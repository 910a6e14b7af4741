import re, csv, io
text = fs.read_multiple_files(paths=paths)
info = {}
for block in text.split("\n---\n"):
    block = block.strip("\n")
    first, rest = block.split("\n", 1)
    folder = first.rstrip(":").split("/")[2]
    row = list(csv.DictReader(io.StringIO(rest)))[0]
    info[folder] = row
print(len(info))

text = fs.read_multiple_files(paths=letters)
grades = {}
for block in text.split("\n---\n"):
    block = block.strip("\n")
    first, rest = block.split("\n", 1)
    folder = first.rstrip(":").split("/")[2]
    found = re.findall(r"final\s+English\s+grade[^.]*?\b([SABCD])\b", rest.replace("Final", "final"))
    if len(found) != 1:
        print("odd:", folder, found, re.findall(r".{30}English grade.{30}", rest))
    grades[folder] = found[0] if found else None
print(len(grades))
from collections import Counter
print(Counter(grades.values()))
print(Counter(int(r["toefl"]) >= 100 for r in info.values()))
