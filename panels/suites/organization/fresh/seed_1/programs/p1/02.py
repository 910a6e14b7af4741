from datetime import datetime
days = {}
for f in files:
    info = fs.get_file_info(path="/workspace/" + f)
    mod = [l for l in info.splitlines() if l.startswith("modified:")][0]
    stamp = mod[len("modified: "):].split(" GMT")[0]
    dt = datetime.strptime(stamp, "%a %b %d %Y %H:%M:%S")
    print(f, dt)
    days.setdefault(dt.strftime("%Y/%m/%d"), []).append((dt, f))
for day in sorted(days):
    print(day, days[day])
