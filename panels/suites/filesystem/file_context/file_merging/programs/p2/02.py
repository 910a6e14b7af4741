names = [l[7:] for l in fs.list_directory(path="/workspace/snippets").splitlines() if l.startswith("[FILE] ")]

def size(name):
    info = fs.get_file_info(path="/workspace/snippets/" + name)
    return int(next(l for l in info.splitlines() if l.startswith("size:")).split()[1])

sizes = {n: size(n) for n in names}
ranked = sorted(names, key=sizes.get)
for n in ranked[:13]:
    print(sizes[n], n)
