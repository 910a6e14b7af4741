for day in sorted(days):
    month, _ = day.split("/")
    fs.create_directory(path=f"/workspace/{month}")
    fs.write_file(path=f"/workspace/{day}/span.txt", content=spans[day])
    for _, name in days[day]:
        fs.move_file(source=f"/workspace/{name}", destination=f"/workspace/{day}/{name}")
