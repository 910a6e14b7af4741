import re

listing = fs.list_directory(path="/workspace")
folders = [line[len("[DIR] "):] for line in listing.splitlines() if line.startswith("[DIR] ")]

remaining = [f"/workspace/{folder}/basic_info.csv" for folder in folders]
infos = {}
while remaining:
    reply = fs.read_multiple_files(paths=remaining[:2])
    for part in reply.split("\n---\n"):
        path, _, text = part.partition(":\n")
        infos[path.strip()] = text.strip()
    remaining = [path for path in remaining if path not in infos]
print(len(infos), "records")
