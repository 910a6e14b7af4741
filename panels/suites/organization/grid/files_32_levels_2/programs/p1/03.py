print(fs.list_directory(path="/workspace"))
total = 0
for day in made:
    inside = fs.list_directory(path=f"/workspace/{day}").splitlines()
    total += len(inside) - 1
    print(day, inside)
    print(fs.read_text_file(path=f"/workspace/{day}/span.txt"))
print(total, len(entries))
