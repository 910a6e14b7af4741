# The object may be inside something, and things are moved, not put: open what is closed.
import re

room, goal = TASK.split("Your task is to: ")
wanted, target = re.search(r"put (?:a|some) (\w+) (?:in|on) (\w+)", goal).groups()
places = sorted(re.findall(r"\ban? (\w+ \d+)", room))
goal_place = [place for place in places if place.split()[0] == target][0]
carried = re.search(rf"\b{wanted} \d+", act("inventory").partition("\nAdmissible")[0])

if not carried:
    for place in places:
        if place.split()[0] == target:
            continue
        seen = act(f"go to {place}").partition("\nAdmissible")[0]
        if f"{place} is closed" in seen:
            seen = act(f"open {place}").partition("\nAdmissible")[0]
        carried = re.search(rf"\b{wanted} \d+", seen)
        if carried:
            act(f"take {carried.group()} from {place}")
            break

arrived = act(f"go to {goal_place}")
if f"{goal_place} is closed" in arrived:
    act(f"open {goal_place}")
print(act(f"move {carried.group()} to {goal_place}"))
