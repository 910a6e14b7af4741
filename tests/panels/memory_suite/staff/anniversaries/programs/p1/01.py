import json

found = json.loads(mem.search_nodes(query="2016"))
print([one["name"] for one in found["entities"]])
