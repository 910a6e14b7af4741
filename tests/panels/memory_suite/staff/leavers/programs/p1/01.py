import json

graph = json.loads(mem.read_graph())
leavers = [one["name"] for one in graph["entities"] if "left the company" in one["observations"]]
for name in leavers:
    mem.delete_entities(entityNames=[name])
print(len(leavers), "deleted")
