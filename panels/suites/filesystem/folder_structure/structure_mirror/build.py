"""Build 120 folders, 40 of which are leaves with three files or more."""

import random
from datetime import UTC, datetime, timedelta

from panels.suites.filesystem.folder_structure.growth import bytes_of_text, file_names, grow, leaves
from panels.suites.support import Builder, build_main

ROOT = "structure"
FOLDERS, LEVELS, KEPT = 120, 6, 40


def plan(rng: random.Random) -> dict[str, int]:
    """Plan how many files each folder holds; inner folders may hold many and are not kept."""
    folders = grow(rng, FOLDERS, LEVELS)
    while len(leaves(folders)) < KEPT + 12:
        folders = grow(rng, FOLDERS, LEVELS)
    kept = set(rng.sample(leaves(folders), KEPT))
    counts = {}
    for folder in folders:
        if folder in kept:
            counts[folder] = rng.choice((3, 3, 4, 5))
        else:
            counts[folder] = rng.choice((0, 1, 2, 2) if folder in leaves(folders) else (0, 1, 3, 4))
    return counts


def build(builder: Builder) -> None:
    """Write the tree."""
    for folder, count in plan(builder.rng).items():
        builder.directory(f"{ROOT}/{folder}")
        for name in file_names(builder.rng, count):
            moment = datetime(2025, 3, 1, tzinfo=UTC) + timedelta(hours=builder.rng.randrange(6000))
            content = bytes_of_text(builder.rng, builder.rng.randint(20, 400))
            builder.write(f"{ROOT}/{folder}/{name}", content, moment)


if __name__ == "__main__":
    build_main(build)
