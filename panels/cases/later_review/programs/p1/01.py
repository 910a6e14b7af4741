import re

listing = fs.list_directory(path="/workspace")
folders = [line[len("[DIR] "):] for line in listing.splitlines() if line.startswith("[DIR] ")]
wanted = [f"/workspace/{folder}/{name}" for name in ("basic_info.csv", "recommendation_letter.txt") for folder in folders]

texts = {}
for path in wanted:
    texts[path] = fs.read_text_file(path=path)
print(len(texts), "files")
