paths = fs.search_files(path="/workspace", pattern="**/basic_info.csv").splitlines()
records = {}
for part in fs.read_multiple_files(paths=paths).split("\n---\n"):
    path, _, text = part.partition(":\n")
    records[path.strip()] = text
print(len(records), "records")
