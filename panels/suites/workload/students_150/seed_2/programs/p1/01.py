import re
top = fs.list_directory(path="/workspace")
print(top[:1000])
students = re.findall(r"^\[DIR\] (.+)$", top, re.M)
print("students:", len(students))
print("other:", [l for l in top.splitlines() if not l.startswith("[DIR]")])
for s in students[:3]:
    print(s)
    print(fs.read_text_file(path=f"/workspace/{s}/basic_info.csv"))
    print(fs.read_text_file(path=f"/workspace/{s}/recommendation_letter.txt"))
