TESTS = {
    "new": (r"introduce|release|presents? a new|a new (collection|set)", r"revisit|re-?analy|known collection|existing|return to"),
    "maths": (r"word problems (in|from) (mathematics|algebra|arithmetic|geometry)|(mathematic\w*|math|algebra|arithmetic) word problems", r"logic|physics|chemistry|puzzle"),
    "teachers": (r"teachers", r"generat|books?\b|competition|olympiad|(read|checked|collected|reviewed|translated|selected) by"),
    "languages": (r"languages", r"all in English|English only|only in English|later work|one language"),
    "steps": (r"\bsteps?\b", r"only the final|final (answer|result) (alone|only)|whatever the steps"),
    "cause": (r"irrelevant|do not matter|superfluous", r"little harm|hardly matter|no effect|long texts"),
}

def points(a):
    return [k for k, (yes, no) in TESTS.items() if re.search(yes, a, re.I) and not re.search(no, a, re.I)]

ranked = sorted(((len(points(a)), n) for n, a in abstracts.items()), reverse=True)
for s, n in ranked[:10]:
    print(s, n, "missing:", [k for k in TESTS if k not in points(abstracts[n])])
print(abstracts[ranked[0][1]])
