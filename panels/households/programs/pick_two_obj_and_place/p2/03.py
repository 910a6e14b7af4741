# Start over: search again and bring each object as soon as it is in the hand.
for _ in range(2):
    held = re.search(rf"\b{wanted} \d+", do("inventory"))
    thing = held.group() if held else find(wanted)[0]
    do(f"go to {goal_place}")
    print(do(f"move {thing} to {goal_place}"))
