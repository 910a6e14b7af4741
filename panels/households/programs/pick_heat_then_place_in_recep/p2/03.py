# Start over with every place in the search.
import re

goal = TASK.partition("Your task is to: ")[2]
wanted, target = re.search(r"(?:heat|hot) (?:some )?(\w+) (?:and put it )?in (\w+)", goal).groups()


def do(command):
    """Act, remember what is admissible then, and return the answer."""
    global choices
    answer, _, line = act(command).partition("\nAdmissible: ")
    choices = line.split("; ")
    return answer


def find(wanted):
    """Search places until one of these can be taken; return it and the place."""
    for place in order:
        answer = do(f"go to {place}")
        if "is closed" in answer:
            do(f"open {place}")
        for choice in choices:
            taken = re.fullmatch(rf"take ({wanted} \d+) from (.+)", choice)
            if taken:
                do(choice)
                return taken.groups()
    raise RuntimeError(f"no {wanted} found in {order}")


held = re.search(rf"\b{wanted} \d+", do("inventory"))
do("look")
places = [choice[len("go to "):] for choice in choices if choice.startswith("go to ")]
order = places
thing = held.group() if held else find(wanted)[0]
do("go to microwave 1")
do(f"heat {thing} with microwave 1")
goal_place = next(place for place in places if place.startswith(f"{target} "))
do(f"go to {goal_place}")
if f"open {goal_place}" in choices:
    do(f"open {goal_place}")
print(do(f"move {thing} to {goal_place}"))
