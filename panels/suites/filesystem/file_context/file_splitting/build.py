"""One long text with characters of one to four bytes, whose tenths never meet at white space."""

import random

from panels.suites.support import Builder, build_main, past_moment
from panels.suites.texts import TOWNS, foreign, heading, notes, paragraph, text

_LENGTH = 48_000
_PARTS = 10
_KITE = (
    "A child from {town} drew a kite 🪁, a fox 🦊 and a whale 🐋 on the wall of the customs house."
)


def plant(rng: random.Random) -> str:
    """Return the text of the chronicle, of a length that is divisible by ten."""
    paragraphs = [f"The chronicle of {rng.choice(TOWNS)} and its neighbours"]
    # A sign of four bytes comes first, so that counts in bytes or UTF-16 units go wrong at once.
    paragraphs.append(_KITE.format(town=rng.choice(TOWNS)))
    while sum(map(len, paragraphs)) + 2 * len(paragraphs) < _LENGTH:
        if rng.random() < 0.2:
            paragraphs.append(f"{heading(rng)}\n{'—' * 12}")
        lines = [paragraph(rng, rng.randint(1, 4)) for _ in range(rng.randint(1, 3))]
        lines.append(foreign(rng))
        rng.shuffle(lines)
        paragraphs.append(" ".join(lines))
    body = "\n\n".join(paragraphs) + "\n\n"
    # The end varies by thousands of characters: a tenth then has hundreds of lengths to be tried.
    while not _cuts_well(chronicle := body + text(rng, rng.randint(1, 20)).rstrip()):
        pass
    return chronicle


def _cuts_well(chronicle: str) -> bool:
    """Whether white space that a writer trims would be missed at no cut and at neither end."""
    size, rest = divmod(len(chronicle), _PARTS)
    if rest:
        return False
    parts = [chronicle[size * number : size * (number + 1)] for number in range(_PARTS)]
    return all(part == part.strip() for part in parts)


def build(builder: Builder) -> None:
    """Write the chronicle and a few files that have nothing to do with it."""
    rng = builder.rng
    builder.write("chronicle.txt", plant(rng), past_moment(rng))
    builder.write("chronicle_cover.txt", f"{heading(rng)}\n", past_moment(rng))
    for name, note in notes(rng, 8).items():
        builder.write(f"correspondence/{name}", note, past_moment(rng))


if __name__ == "__main__":
    build_main(build)
