# Look into the closed places too, and at every place for the lamp.
import re

room, goal = TASK.split("Your task is to: ")
wanted, lamp = re.search(r"(?:look at|examine the) (\w+) (?:under|with) the (\w+)", goal).groups()
places = sorted(re.findall(r"\ban? (\w+ \d+)", room))
carried = re.search(rf"\b{wanted} \d+", act("inventory").partition("\nAdmissible")[0])
lit = None

for place in places:
    seen, _, choices = act(f"go to {place}").partition("\nAdmissible: ")
    if f"{place} is closed" in seen:
        seen, _, choices = act(f"open {place}").partition("\nAdmissible: ")
    if f"{lamp} " in seen:
        lit = place
    found = re.search(rf"\b{wanted} \d+", seen)
    if found and not carried:
        carried = found
        act(f"take {found.group()} from {place}")
    if carried and lit:
        break

if lit != place:
    act(f"go to {lit}")
print(act(f"use {lamp} 1"))
