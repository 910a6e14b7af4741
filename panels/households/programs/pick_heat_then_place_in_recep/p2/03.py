# Everything again, with all places in the search.
order = places
thing, _ = find(wanted)
do("go to microwave 1")
do(f"heat {thing} with microwave 1")
do(f"go to {goal_place}")
if f"open {goal_place}" in choices:
    do(f"open {goal_place}")
print(do(f"move {thing} to {goal_place}"))
