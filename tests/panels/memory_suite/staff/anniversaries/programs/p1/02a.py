names = [one["name"] for one in found["entities"] if one["entityType"] == "person"]
for name in names:
    mem.add_observations(observations=[{"entityName": name, "contents": ["ten years in 2026"]}])
