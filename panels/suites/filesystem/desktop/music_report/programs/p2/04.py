from collections import defaultdict
most = max(s[3] for s in songs)
score = {}
by_artist = defaultdict(list)
for artist, title, year, plays, rating in songs:
    v = 0.5 * rating + 4 * plays / most + (year - 1980) / 45
    score[(artist, title)] = v
    by_artist[artist].append(v)

table = sorted(((f"{v:.3f}", t) for (a, t), v in score.items()), key=lambda x: (-float(x[0]), x[1]))
lines = [f"{t};{v}" for v, t in table]
means = sorted(((sum(v) / len(v), a) for a, v in by_artist.items()), reverse=True)
lines += [f"{a};{m:.3f}" for m, a in means]
fs.write_file(path="/workspace/music/report.txt", content="\n".join(lines) + "\n")
print(len(lines))
print(fs.read_text_file(path="/workspace/music/report.txt"))
