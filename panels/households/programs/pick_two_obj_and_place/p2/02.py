# One hand holds one object: bring what is held, then come back for the other.
goal_place = next(place for place in places if place.startswith(f"{target} "))
do(f"go to {goal_place}")
if f"open {goal_place}" in choices:
    do(f"open {goal_place}")
print(do(f"move {first} to {goal_place}"))
second, _ = find(wanted)
do(f"go to {goal_place}")
print(do(f"move {second} to {goal_place}"))
