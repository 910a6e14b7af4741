from datetime import datetime
from collections import defaultdict

def modified(name):
    info = fs.get_file_info(path="/workspace/" + name)
    line = next(l for l in info.splitlines() if l.startswith("modified:"))
    stamp = line.split(": ", 1)[1].split(" GMT")[0]
    return datetime.strptime(stamp, "%a %b %d %Y %H:%M:%S")

times = {n: modified(n) for n in names}
days = defaultdict(list)
for n, t in times.items():
    days[t.strftime("%m/%d")].append(n)
for d in sorted(days):
    print(d)
    for n in sorted(days[d], key=lambda n: (times[n], n)):
        print("   ", times[n], n)
