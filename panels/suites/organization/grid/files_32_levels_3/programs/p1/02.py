from datetime import datetime
mod = {}
for n in names:
    line = infos[n].splitlines()[2]
    assert line.startswith("modified: ")
    mod[n] = datetime.strptime(line.replace("modified: ", "").split(" GMT")[0], "%a %b %d %Y %H:%M:%S")

per_day = {}
for n in sorted(names):
    per_day.setdefault(mod[n].strftime("%Y/%m/%d"), []).append(n)

for day in sorted(per_day):
    print(day)
    for n in per_day[day]:
        print("   ", mod[n].strftime("%H:%M:%S"), n)
