import json

graph = json.loads(mem.read_graph())
relations = []
for one in graph["entities"]:
    for text in one["observations"]:
        if text.startswith("sits in "):
            relations.append(
                {"from": one["name"], "to": text[len("sits in "):], "relationType": "sits in"}
            )
mem.create_relations(relations=relations)
