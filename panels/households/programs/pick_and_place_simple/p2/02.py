# What holds things has to be open before something can be moved into it.
do(f"go to {goal_place}")
if f"open {goal_place}" in choices:
    do(f"open {goal_place}")
print(do(f"move {thing} to {goal_place}"))
