"""Everyday files whose times matter: what the tasks that sort by date start from."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from panels.suites.support import Builder
from panels.suites.texts import heading, slug, text

__all__ = ["Planted", "dated_files", "ties", "within", "write_files"]

_SUFFIXES = (".txt", ".md", ".log")


@dataclass(frozen=True)
class Planted:
    """One file: its name, when it was last modified (UTC) and its text."""

    name: str
    modified: datetime
    content: str


def dated_files(rng: random.Random, moments: Sequence[datetime]) -> list[Planted]:
    """Invent a file for each moment; dates in some of the names tell nothing of it."""
    files: dict[str, Planted] = {}
    while len(files) < len(moments):
        name = _name(rng)
        if name not in files:
            files[name] = Planted(name, moments[len(files)], text(rng, rng.randint(1, 3)))
    return list(files.values())


def within(rng: random.Random, day: datetime) -> datetime:
    """Return a second of the day, not near its midnights."""
    return day + timedelta(seconds=rng.randint(600, 82000))


def ties(rng: random.Random, day: datetime) -> tuple[datetime, ...]:
    """Return four moments of the day: two files share its first second and two its last."""
    first = within(rng, day)
    last = first + timedelta(seconds=rng.randint(1, 3000))
    return first, first, last, last


def write_files(builder: Builder, files: Sequence[Planted]) -> None:
    """Write the files into the root folder."""
    for file in files:
        builder.write(file.name, file.content, file.modified)


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
