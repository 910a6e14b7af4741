import re
from datetime import datetime
stamps = {}
for f in files:
    raw = fs.get_file_info(path=f"/workspace/{f}")
    raw = re.search(r"modified: (.+) GMT", raw).group(1)
    stamps[f] = datetime.strptime(raw, "%a %b %d %Y %H:%M:%S")
days = {}
for f, s in stamps.items():
    days.setdefault((s.year, s.month, s.day), []).append(f)
for k in sorted(days):
    print(k, [(f, str(stamps[f].time())) for f in days[k]])
