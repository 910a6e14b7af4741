# Do it with the fridge, and open the place before moving the object into it.
import re

held = re.search(rf"\b{wanted} \d+", do("inventory"))
thing = held.group() if held else find(wanted)[0]
do("go to fridge 1")
print(do(f"cool {thing} with fridge 1"))
goal_place = next(place for place in places if place.startswith(f"{target} "))
do(f"go to {goal_place}")
if f"open {goal_place}" in choices:
    do(f"open {goal_place}")
print(do(f"move {thing} to {goal_place}"))
