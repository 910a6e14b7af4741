from datetime import datetime

def modified(path):
    for line in fs.get_file_info(path=path).splitlines():
        if line.startswith("modified: "):
            return datetime.strptime(line[10:34], "%a %b %d %Y %H:%M:%S")

files = [l.split(" ", 1)[1] for l in fs.list_directory(path="/workspace").splitlines()]
when = {f: modified("/workspace/" + f) for f in files}
for f in sorted(files, key=when.get):
    print(when[f], f)
