# Find the object on one of the surfaces, pick it up and put it where it belongs.
import re

room, goal = TASK.split("Your task is to: ")
wanted, target = re.search(r"put (?:a|some) (\w+) (?:in|on) (\w+)", goal).groups()
places = re.findall(r"\ban? (\w+ \d+)", room)
closed = ("cabinet", "drawer", "fridge", "microwave", "safe")
surfaces = [place for place in places if not place.startswith(closed)]

for place in surfaces:
    seen = act(f"go to {place}").partition("\nAdmissible")[0]
    found = re.search(rf"\b{wanted} \d+", seen)
    if found:
        break
else:
    raise RuntimeError(f"there is no {wanted} on {', '.join(surfaces)}")

thing = found.group()
act(f"take {thing} from {place}")
goal_place = [place for place in places if place.startswith(target)][0]
act(f"go to {goal_place}")
print(act(f"put {thing} in/on {goal_place}"))
