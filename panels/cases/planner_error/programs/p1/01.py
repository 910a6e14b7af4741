import re

listing = fs.list_directory(path="/workspace")
folders = [line[len("[DIR] "):] for line in listing.splitlines() if line.startswith("[DIR] ")]

infos = {}
for part in fs.read_multiple_files(paths=[f"/workspace/{folder}/basic_info.csv" for folder in folders]).split("\n---\n"):
    path, _, text = part.partition(":\n")
    infos[path.split("/")[2]] = text

letters = {}
for part in fs.read_multiple_files(paths=[f"/workspace/{folder}/recommendation_letter.txt" for folder in folders]).split("\n---\n"):
    path, _, text = part.partition(":\n")
    letters[path.split("/")[2]] = text
print(len(infos), len(letters))
