import csv, io, re

songs = []  # (artist, title, year, plays, rating)

def column(header, names):
    for i, h in enumerate(header):
        for n in names:
            if n in h.lower():
                return i

def from_csv(artist, text):
    sep = ";" if ";" in text.split("\n")[0] else ","
    rows = [r for r in csv.reader(io.StringIO(text), delimiter=sep) if r]
    header = rows[0]
    t = column(header, ["title", "song"])
    y = column(header, ["year", "released"])
    p = column(header, ["plays", "played"])
    r = column(header, ["rating", "stars"])
    for row in rows[1:]:
        songs.append((artist, row[t], int(row[y]), int(row[p]), float(row[r])))

def from_text(artist, text):
    if text.startswith("song - "):
        title = re.search(r"song - (.*)", text).group(1)
        year = re.search(r"released - .*?(\d{4})", text).group(1)
        plays = re.search(r"listened to - ([\d,]+)", text).group(1)
        rating = re.search(r"rated - ([\d.]+)", text).group(1)
    elif text.startswith("Title: "):
        title = re.search(r"Title: (.*)", text).group(1)
        year = re.search(r"Year: (\d{4})", text).group(1)
        plays = re.search(r"Plays: ([\d,]+)", text).group(1)
        rating = re.search(r"Rating: ([\d.]+)", text).group(1)
    elif text.startswith('"'):
        title = re.search(r'"(.*?)" came out in', text).group(1)
        year = re.search(r"came out in (\d{4})", text).group(1)
        plays = re.search(r"played it ([\d,]+) times", text).group(1)
        rating = re.search(r"give it ([\d.]+) out of", text).group(1)
    else:
        title, year = re.match(r"(.*) \((\d{4})\)", text).groups()
        plays = re.search(r"Counter on the player: ([\d,]+)", text).group(1)
        rating = re.search(r"Verdict: ([\d.]+)", text).group(1)
    songs.append((artist, title.strip(), int(year), int(plays.replace(",", "")), float(rating)))

for d in tree:
    if d["name"] in artists:
        for c in d["children"]:
            if c["name"] == "about.txt":
                continue
            text = fs.read_text_file(path="/workspace/music/" + d["name"] + "/" + c["name"])
            if c["name"].endswith(".csv"):
                from_csv(d["name"], text)
            else:
                from_text(d["name"], text)

print(len(songs))
most = max(s[3] for s in songs)
scored = []
for artist, title, year, plays, rating in songs:
    score = 0.5 * rating + 4 * plays / most + (year - 1980) / 45
    scored.append((artist, title, score))
    print(artist, title, year, plays, rating, score)

scored.sort(key=lambda s: (-round(s[2], 3), s[1]))
out = ["%s;%.3f" % (title, score) for artist, title, score in scored]
means = []
for a in artists:
    own = [s[2] for s in scored if s[0] == a]
    means.append((a, sum(own) / len(own)))
means.sort(key=lambda m: -m[1])
out += ["%s;%.3f" % m for m in means]
fs.write_file(path="/workspace/music/report.txt", content="\n".join(out) + "\n")
print("\n".join(out))
