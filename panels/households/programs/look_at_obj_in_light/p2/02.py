# A lamp is used: find the place where that is admissible.
for place in places:
    lamps = [choice for choice in choices if choice.startswith(f"use {lamp}")]
    if lamps:
        print(do(lamps[0]))
        break
    do(f"go to {place}")
