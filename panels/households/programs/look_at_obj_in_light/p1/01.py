# Find the object, carry it to the lamp and switch the lamp on.
import re

room, goal = TASK.split("Your task is to: ")
wanted, lamp = re.search(r"(?:look at|examine the) (\w+) (?:under|with) the (\w+)", goal).groups()
places = re.findall(r"\ban? (\w+ \d+)", room)
kinds = ("desk", "dresser", "shelf", "sidetable", "coffeetable", "bed", "sofa", "armchair")
likely = [place for place in places if place.split()[0] in kinds]

thing = None
for place in likely:
    seen = act(f"go to {place}").partition("\nAdmissible")[0]
    found = re.search(rf"\b{wanted} \d+", seen)
    if found:
        thing = found.group()
        break

act(f"take {thing} from {place}")
for place in likely:
    seen = act(f"go to {place}").partition("\nAdmissible")[0]
    found = re.search(rf"\b{lamp} \d+", seen)
    if found:
        print(act(f"use {found.group()}"))
        break
