hits = fs.search_files(path="/workspace", pattern="**/basic_info.csv")
paths = hits.splitlines()
print(len(paths), paths[:5])
print(fs.read_multiple_files(paths=paths[:5]))
letters = [p.replace("basic_info.csv", "recommendation_letter.txt") for p in paths]
print(fs.read_multiple_files(paths=letters[:3]))
