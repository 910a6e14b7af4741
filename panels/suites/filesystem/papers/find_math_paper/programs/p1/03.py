candidates = {f: a for f, a in abstracts.items() if "word problem" in a.lower()}

def fits(a):
    a = a.lower()
    # a new set
    if re.search(r"revisit|re-?analy|known collection|existing|earlier collection", a):
        return False
    # mathematics
    if not re.search(r"mathematic|algebra|arithmetic|geometry|math", a):
        return False
    # written by teachers
    if not re.search(r"teacher", a):
        return False
    if re.search(r"generator|generated|read by|checked by|taken from|textbook|competition|olympiad", a):
        return False
    # several languages
    if re.search(r"all in english|only in|later work|single language|one language", a):
        return False
    # steps are marked
    if not re.search(r"step", a):
        return False
    if re.search(r"only the final|whatever the steps", a):
        return False
    # irrelevant numbers are the main reason
    if not re.search(r"number", a):
        return False
    if re.search(r"little harm|long texts are", a):
        return False
    return True

hits = [f for f, a in candidates.items() if fits(a)]
for f in hits:
    print(f, candidates[f])
if len(hits) == 1:
    fs.move_file(source="/workspace/papers/" + hits[0], destination="/workspace/papers/answer.html")
    print("renamed", hits[0])
