"""Thirty-two files over ten days of one year, with times at both edges of midnight UTC."""

import random
from datetime import UTC, datetime, timedelta

from panels.suites.filesystem.file_property.dated_files import (
    Planted,
    dated_files,
    ties,
    within,
    write_files,
)
from panels.suites.support import Builder, build_main

_FILES = 32
_DAYS = 10


def plant(rng: random.Random) -> list[Planted]:
    """Return the files, in no particular order."""
    return dated_files(rng, _moments(rng))


def _moments(rng: random.Random) -> list[datetime]:
    year = datetime(2025, 1, 1, tzinfo=UTC)
    # Two neighbouring days across a month's end: a wrong time zone would move their edge files.
    edge = datetime(2025, rng.randint(2, 11), 1, tzinfo=UTC)
    before = edge - timedelta(days=1)
    others = [year + timedelta(days=number) for number in range(5, 350)]
    others = [day for day in others if day not in (edge, before)]
    alone, *days = rng.sample(others, _DAYS - 2)
    tied = ties(rng, days[0])
    moments = [
        before + timedelta(hours=23, minutes=59, seconds=59),
        within(rng, before),
        edge,
        within(rng, edge),
        within(rng, alone),
        *tied,
        *(within(rng, day) for day in days[1:]),
        *(within(rng, day) for day in days[1:]),
    ]
    while len(moments) < _FILES:
        moments.append(within(rng, rng.choice([*days[1:], before, edge])))
    rng.shuffle(moments)
    return moments


def build(builder: Builder) -> None:
    """Write the files into the root folder."""
    write_files(builder, plant(builder.rng))


if __name__ == "__main__":
    build_main(build)
