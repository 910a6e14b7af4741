from datetime import datetime

listing = fs.list_directory(path="/workspace")
names = [line[len("[FILE] "):] for line in listing.splitlines() if line.startswith("[FILE] ")]

days = {}
for name in names:
    info = fs.get_file_info(path=f"/workspace/{name}")
    modified = next(line for line in info.splitlines() if line.startswith("modified: "))
    moment = datetime.strptime(modified[len("modified: "):].split(" GMT")[0], "%a %b %d %Y %H:%M:%S")
    days.setdefault(moment.strftime("%m/%d"), []).append((moment.strftime("%H:%M:%S"), name))

spans = {}
for day, files in days.items():
    last_time = max(time for time, _ in files)
    first_time, first = min(files)
    last = min(name for time, name in files if time == last_time)
    spans[day] = f"first: {first} {first_time}\nlast: {last} {last_time}\n"

for day in sorted(days):
    fs.write_file(path=f"/workspace/{day}/span.txt", content=spans[day])
