import json
tree = json.loads(fs.directory_tree(path="/workspace"))
print(len(tree))
for t in tree[:5]:
    print(t["name"], t["type"], [c["name"] for c in t.get("children", [])])
students = [t["name"] for t in tree if t["type"] == "directory"]
for s in students[:2]:
    print(fs.read_text_file(path=f"/workspace/{s}/basic_info.csv"))
    print(fs.read_text_file(path=f"/workspace/{s}/recommendation_letter.txt"))
