import re, csv

def read(p):
    return fs.read_text_file(path=p)

def from_csv(text):
    lines = text.strip().splitlines()
    rows = list(csv.reader(lines, delimiter=";" if ";" in lines[0] else ","))
    head = [h.lower() for h in rows[0]]
    def col(*keys):
        return next(i for k in keys for i, h in enumerate(head) if k in h)
    t, y = col("title", "song"), col("year", "released")
    p, r = col("plays", "times", "played"), col("rating", "stars")
    return [(x[t], int(x[y]), int(x[p].replace(",", "")), float(x[r])) for x in rows[1:] if x]

def from_text(text):
    first = text.strip().splitlines()[0]
    num = lambda pat: re.search(pat, text, re.M | re.I).group(1).replace(",", "")
    if first.startswith('"'):
        title, year = re.match(r'"(.+?)" came out in (\d{4})', first).groups()
        plays, rating = num(r"played it ([\d,]+) times"), num(r"give it ([\d.]+) out of")
    elif first.startswith("Title:"):
        title = first.split(":", 1)[1].strip()
        year, plays, rating = num(r"^Year: (\d+)"), num(r"^Plays: ([\d,]+)"), num(r"^Rating: ([\d.]+)")
    elif first.startswith("song - "):
        title = first[len("song - "):].strip()
        year, plays, rating = num(r"^released - .*?(\d{4})"), num(r"^listened to - ([\d,]+)"), num(r"^rated - ([\d.]+)")
    else:
        title, year = re.match(r"(.+) \((\d{4})\)$", first.strip()).groups()
        plays, rating = num(r"^Counter.*?: ([\d,]+)"), num(r"^Verdict: ([\d.]+)")
    return title, int(year), int(plays), float(rating)

songs = []
for p in paths:
    artist, name = p.split("/")[3:5]
    if name.startswith("about"):
        continue
    found = from_csv(read(p)) if name.endswith(".csv") else [from_text(read(p))]
    songs += [(artist, *s) for s in found]
print(len(songs))
for s in songs:
    print(s)
