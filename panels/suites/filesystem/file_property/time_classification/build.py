"""Thirty-two files over ten days of one year, with times at both edges of midnight UTC."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from panels.suites.support import Builder, build_main
from panels.suites.texts import heading, slug, text

_FILES = 32
_DAYS = 10
_SUFFIXES = (".txt", ".md", ".log")


@dataclass(frozen=True)
class Planted:
    """One file: its name, when it was last modified (UTC) and its text."""

    name: str
    modified: datetime
    content: str


def plant(rng: random.Random) -> list[Planted]:
    """Return the files, in no particular order."""
    moments = _moments(rng)
    files: dict[str, Planted] = {}
    while len(files) < _FILES:
        name = _name(rng)
        if name not in files:
            files[name] = Planted(name, moments[len(files)], text(rng, rng.randint(1, 3)))
    return list(files.values())


def _moments(rng: random.Random) -> list[datetime]:
    year = datetime(2025, 1, 1, tzinfo=UTC)
    # Two neighbouring days across a month's end: a wrong time zone would move their edge files.
    edge = datetime(2025, rng.randint(2, 11), 1, tzinfo=UTC)
    before = edge - timedelta(days=1)
    others = [year + timedelta(days=number) for number in range(5, 350)]
    others = [day for day in others if day not in (edge, before)]
    alone, *days = rng.sample(others, _DAYS - 2)
    shared = _within(rng, days[0])
    later = shared + timedelta(seconds=rng.randint(1, 3000))
    moments = [
        before + timedelta(hours=23, minutes=59, seconds=59),
        _within(rng, before),
        edge,
        _within(rng, edge),
        _within(rng, alone),
        *(shared, shared, later, later),
        *(_within(rng, day) for day in days[1:]),
        *(_within(rng, day) for day in days[1:]),
    ]
    while len(moments) < _FILES:
        moments.append(_within(rng, rng.choice([*days[1:], before, edge])))
    rng.shuffle(moments)
    return moments


def _within(rng: random.Random, day: datetime) -> datetime:
    return day + timedelta(seconds=rng.randint(600, 82000))


def _name(rng: random.Random) -> str:
    stem = slug(heading(rng))
    match rng.randrange(4):
        case 0:
            stem = stem.replace("_", " ")
        case 1:
            stem = f"2025-{rng.randint(1, 12):02}-{rng.randint(1, 28):02} {stem}"
        case _:
            pass
    return stem + rng.choice(_SUFFIXES)


def build(builder: Builder) -> None:
    """Write the files into the root folder."""
    for file in plant(builder.rng):
        builder.write(file.name, file.content, file.modified)


if __name__ == "__main__":
    build_main(build)
