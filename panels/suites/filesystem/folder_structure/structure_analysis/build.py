"""Build 250 small files in 70 folders, one of which lies deeper than all others."""

from datetime import UTC, datetime, timedelta

from panels.suites.filesystem.folder_structure.growth import bytes_of_text, file_names, grow
from panels.suites.support import Builder, build_main

ROOT = "archive"
FILES, FOLDERS, LEVELS = 250, 70, 7


def build(builder: Builder) -> None:
    """Write the tree; files stay below 1 KB, the size up to which a listing is exact."""
    folders = grow(builder.rng, FOLDERS - 1, LEVELS - 1)
    deep = [folder for folder in folders if folder.count("/") == LEVELS - 2]
    folders.append(f"{builder.rng.choice(deep)}/bottom")
    homes = builder.rng.sample(folders, FOLDERS - 6)
    share = dict.fromkeys(homes, 1)
    while sum(share.values()) < FILES:
        share[builder.rng.choice(homes)] += 1
    for folder in folders:
        builder.directory(f"{ROOT}/{folder}")
        for name in file_names(builder.rng, share.get(folder, 0)):
            moment = datetime(2025, 3, 1, tzinfo=UTC) + timedelta(hours=builder.rng.randrange(6000))
            content = bytes_of_text(builder.rng, builder.rng.randint(0, 1000))
            builder.write(f"{ROOT}/{folder}/{name}", content, moment)


if __name__ == "__main__":
    build_main(build)
