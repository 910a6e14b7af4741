"""Sixty files in the root folder; name, date and content decide, and rules meet in some of them."""

import random
from dataclasses import dataclass

from panels.suites.support import Builder, build_main, past_moment
from panels.suites.texts import PLACES, heading, paragraph, slug, text

_WORK, _HOME = "Cost centre: {}", "Household: {}"


@dataclass(frozen=True)
class Planted:
    """One file: its name, its text and the folder it belongs in."""

    name: str
    content: str
    folder: str


def plant(rng: random.Random) -> list[Planted]:
    """Return the sixty files."""
    rooms = {
        "archive": _archive(rng),
        "temporary": _temporary(rng),
        "work": _work(rng),
        "home": _home(rng),
        "other": _near_misses(rng),
    }
    planted: dict[str, Planted] = {}
    for folder, files in rooms.items():
        for stem, content in files:
            name = f"{stem}.txt" if f"{stem}.txt" not in planted else f"{stem} {len(planted)}.txt"
            planted[name] = Planted(name, content, folder)
    return list(planted.values())


def _archive(rng: random.Random) -> list[tuple[str, str]]:
    """Return twelve files with an old year in the name; two would follow a later rule as well."""
    stems = [f"{_stem(rng)} {rng.randint(2000, 2022)}" for _ in range(5)]
    stems += [f"{_old(rng)} {_stem(rng)}" for _ in range(5)]
    stems += [f"tmp {_stem(rng)} {rng.randint(2000, 2022)}", f"office {_old(rng)} {_stem(rng)}"]
    return [(stem, _text(rng, rng.choice((_WORK, _HOME, "")))) for stem in stems]


def _temporary(rng: random.Random) -> list[tuple[str, str]]:
    """Return twelve files: four by each kind of name, four by their first line."""
    stems = [f"{start}{_stem(rng)}" for start in ("draft ", "tmp_") for _ in range(4)]
    made = [(stem, _text(rng, rng.choice((_WORK, _HOME, "")))) for stem in stems]
    lines = (_WORK, _HOME, "", "")
    return made + [(_stem(rng), f"DRAFT\n\n{_text(rng, line)}") for line in lines]


def _work(rng: random.Random) -> list[tuple[str, str]]:
    """Return fourteen files: four by name against their line, ten by content, two with both."""
    made = [(f"office_{_stem(rng)}", _text(rng, _HOME)) for _ in range(4)]
    made += [(_stem(rng), _text(rng, _WORK)) for _ in range(8)]
    both = f"{_HOME.format(rng.choice(PLACES))}\n"
    return made + [(_stem(rng), both + _text(rng, _WORK)) for _ in range(2)]


def _home(rng: random.Random) -> list[tuple[str, str]]:
    """Return twelve files; newer years and years among more digits are no reason to archive."""
    stems = [f"{_stem(rng)} 2024", f"{_stem(rng)} 12019", f"2023-05 {_stem(rng)}"]
    stems += [_stem(rng) for _ in range(9)]
    return [(stem, _text(rng, _HOME)) for stem in stems]


def _stem(rng: random.Random) -> str:
    return slug(heading(rng))


def _old(rng: random.Random) -> str:
    return f"{rng.randint(2000, 2022)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


def _text(rng: random.Random, line: str) -> str:
    """Return a text with a line of its own in the middle, where one is given."""
    middle = f"{line.format(rng.choice(PLACES))}\n\n" if line else ""
    return f"{heading(rng)}\n\n{text(rng, 1)}\n{middle}{text(rng, 1)}"


def _near_misses(rng: random.Random) -> list[tuple[str, str]]:
    """Return ten files that nearly follow one of the first four rules."""
    place = rng.choice(PLACES)
    return [
        (f"{_stem(rng)} 1998", _text(rng, "")),
        (_stem(rng), _text(rng, "") + "Written in 2011.\n"),
        (f"a draft of {_stem(rng)}", _text(rng, "")),
        (f"Draft {_stem(rng)}", _text(rng, "")),
        (_stem(rng), f"DRAFT of the {place}\n\n{_text(rng, '')}"),
        (_stem(rng), f"{_text(rng, '')}DRAFT\n"),
        (_stem(rng), f"{paragraph(rng, 1)} Cost centre: {place}\n"),
        (f"back office {_stem(rng)}", _text(rng, "")),
        (_stem(rng), f"{paragraph(rng, 2)} Household: {place}\n"),
        (_stem(rng), _text(rng, "")),
    ]


def build(builder: Builder) -> None:
    """Write the planted files into the root folder."""
    for file in plant(builder.rng):
        builder.write(file.name, file.content, past_moment(builder.rng))


if __name__ == "__main__":
    build_main(build)
