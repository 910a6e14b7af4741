"""Forty texts with hyphens, lone dashes, ß and letters of several alphabets."""

import random

from panels.suites.support import Builder, build_main, past_moment
from panels.suites.texts import foreign, heading, paragraph

_FILES = 40
_TRICKY = (
    "The half-finished, twice-painted door — nobody's idea - is open.",
    "Straße und Gruß stehen auf dem Schild, Fußweg nicht.",
    "Room 12 & room 14 / the well-known ones / are free.",
    "It costs 3,50 € … or less !",
    "So-called   experts\tagree: it is a weiß-blau flag.",
    "One – two – three, and the mother-in-law laughs (loudly) .",
)


def plant(rng: random.Random) -> dict[str, str]:
    """Return the texts by name."""
    return {f"text_{number:02}.txt": _text(rng) for number in range(1, _FILES + 1)}


def _text(rng: random.Random) -> str:
    lines = [paragraph(rng, rng.randint(1, 3)) for _ in range(rng.randint(2, 5))]
    lines += [*rng.sample(_TRICKY, 2), foreign(rng)]
    rng.shuffle(lines)
    return f"{heading(rng)}\n\n" + "\n".join(lines) + "\n"


def build(builder: Builder) -> None:
    """Write the texts into their folder."""
    for name, content in plant(builder.rng).items():
        builder.write(f"texts/{name}", content, past_moment(builder.rng))


if __name__ == "__main__":
    build_main(build)
