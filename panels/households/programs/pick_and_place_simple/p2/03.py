# Start over with every place in the search.
order = places
thing, _ = find(wanted)
goal_place = next(place for place in places if place.startswith(f"{target} "))
do(f"go to {goal_place}")
if f"open {goal_place}" in choices:
    do(f"open {goal_place}")
print(do(f"move {thing} to {goal_place}"))
