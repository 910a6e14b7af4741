"""The files of an instance, and the day folders that it asks for, by number of levels.

With two levels all files are of one year; with three they are of two years, and one day of the year
occurs in both. Each instance has times at both edges of midnight UTC, across the end of a month or
of the year, a day with a single file, and a day whose first and last seconds are each shared by two
files. There are two folders, and one for every four files.
"""

import random
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias

from panels.suites.filesystem.file_property.dated_files import (
    Planted,
    dated_files,
    ties,
    within,
    write_files,
)
from panels.suites.filesystem.file_property.day_folders import expect_day_folders
from panels.suites.support import Builder, Folder

__all__ = ["FORMS", "Levels", "build_instance", "judge_instance", "plant"]

Levels: TypeAlias = Literal[2, 3]

FORMS: dict[Levels, str] = {2: "%m/%d", 3: "%Y/%m/%d"}
"""How `strftime` writes a day's folder."""

_YEAR = datetime(2025, 1, 1, tzinfo=UTC)


def plant(rng: random.Random, files: int, levels: Levels) -> list[Planted]:
    """Return the files, eight or more, in no particular order."""
    edge = _YEAR if levels == 3 else _YEAR.replace(month=rng.randint(2, 11))
    before = edge - timedelta(days=1)
    # Days that stand in both years, and are neither of the two at the edge.
    days = [_YEAR + timedelta(days=number) for number in range(5, 350)]
    days = rng.sample([day for day in days if day not in (edge, before)], files // 4)
    tied, alone, *others = days
    if levels == 3:
        alone = tied.replace(year=2024)
        others = [day.replace(year=rng.choice((2024, 2025))) for day in others]
    moments = [before + timedelta(hours=23, minutes=59, seconds=59), edge]
    moments += [*ties(rng, tied), within(rng, alone)]
    moments += [within(rng, day) for day in others]
    while len(moments) < files:
        moments.append(within(rng, rng.choice([before, edge, *others])))
    rng.shuffle(moments)
    return dated_files(rng, moments)


def build_instance(builder: Builder, files: int, levels: Levels) -> None:
    """Write the files into the root folder."""
    write_files(builder, plant(builder.rng, files, levels))


def judge_instance(final: Folder, initial: Folder, levels: Levels) -> None:
    """Judge a final folder."""
    expect_day_folders(final, initial, FORMS[levels])
