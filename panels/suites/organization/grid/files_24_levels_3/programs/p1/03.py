for (y, m, d), fl in days.items():
    folder = "/workspace/%04d/%02d/%02d" % (y, m, d)
    fs.create_directory(path=folder)
    for f in fl:
        fs.move_file(source=f"/workspace/{f}", destination=f"{folder}/{f}")
    lo = min(stamps[f] for f in fl)
    hi = max(stamps[f] for f in fl)
    lo_name = min(f for f in fl if stamps[f] == lo)
    hi_name = min(f for f in fl if stamps[f] == hi)
    fs.write_file(path=f"{folder}/span.txt",
                  content="first: %s %s\nlast: %s %s\n" % (lo_name, lo.strftime("%H:%M:%S"), hi_name, hi.strftime("%H:%M:%S")))
print(fs.directory_tree(path="/workspace"))
for (y, m, d) in sorted(days):
    print(fs.read_text_file(path="/workspace/%04d/%02d/%02d/span.txt" % (y, m, d)))
