import re
root = "/workspace"
out = fs.list_directory(path=root)
print(out)
info = {}
for name in re.findall(r"^\[FILE\] (.*)$", out, re.M):
    info[name] = fs.get_file_info(path=root + "/" + name)
for name in list(info)[:3]:
    print(name)
    print(info[name])
