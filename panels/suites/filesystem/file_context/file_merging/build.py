"""A hundred and twenty snippets whose ten smallest are others by bytes than by characters."""

import random

from panels.suites.support import Builder, build_main, past_moment
from panels.suites.texts import foreign, heading, paragraph, slug, text

_FILES = 120
_SMALL = 24
_CHOSEN = 10


def plant(rng: random.Random) -> tuple[dict[str, str], list[str]]:
    """Return the snippets by name, and the names of the ten smallest in their order."""
    snippets: dict[str, str] = {}
    while not (chosen := _smallest(snippets)):
        small = [_small(rng, number) for number in range(_SMALL)]
        large = [_large(rng) for _ in range(_FILES - _SMALL)]
        snippets = {}
        for content in small + large:
            name = f"{slug(heading(rng))}.txt"
            while name in snippets:
                name = f"{slug(heading(rng))}.txt"
            snippets[name] = content
    return snippets, chosen


def _small(rng: random.Random, number: int) -> str:
    return f"{foreign(rng) if number % 2 else paragraph(rng, 1)}\n"


def _large(rng: random.Random) -> str:
    return f"{foreign(rng)} {text(rng, 1)}\n{text(rng, rng.randint(1, 3))}"


def _smallest(snippets: dict[str, str]) -> list[str]:
    """Return the ten smallest by name; none where the cut is not clear or characters would do."""
    sizes = {name: len(content.encode()) for name, content in snippets.items()}
    order = sorted(snippets, key=lambda name: sizes[name])
    by_characters = sorted(snippets, key=lambda name: len(snippets[name]))
    chosen = order[:_CHOSEN]
    if len(order) < _FILES or set(by_characters[:_CHOSEN]) == set(chosen):
        return []
    before, tenth, after = (sizes[order[place]] for place in (_CHOSEN - 2, _CHOSEN - 1, _CHOSEN))
    return sorted(chosen) if before < tenth < after else []


def build(builder: Builder) -> None:
    """Write the snippets into their folder, and a file of another place that is smaller still."""
    snippets, _ = plant(builder.rng)
    for name, content in snippets.items():
        builder.write(f"snippets/{name}", content, past_moment(builder.rng))
    builder.write("read_me_later.txt", f"{heading(builder.rng)}\n", past_moment(builder.rng))


if __name__ == "__main__":
    build_main(build)
