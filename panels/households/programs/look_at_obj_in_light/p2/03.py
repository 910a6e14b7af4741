# Look for the object again, then try the lamp wherever there is one.
thing, _ = find(wanted)
for place in places:
    do(f"go to {place}")
    for choice in choices:
        if choice.startswith("use "):
            print(do(choice))
