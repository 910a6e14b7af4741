"""A hundred and twenty notes: 25 groups of equal ones, and others that differ by one byte."""

import random
from dataclasses import dataclass

from panels.suites.support import Builder, build_main, past_moment
from panels.suites.texts import foreign, heading, slug, text

_FILES = 120
_GROUPS = 25
_NEAR = 20
_FOLDERS = ("Inbox", "archive", "drafts", "notes", "notes/old", "shared", "shared/from home")


@dataclass(frozen=True)
class Planted:
    """All files by path, and the groups of equal ones."""

    files: dict[str, str]
    groups: list[set[str]]


def plant(rng: random.Random) -> Planted:
    """Return the files and their groups."""
    sizes = [2] * 15 + [3] * 7 + [4] * 3
    contents = [_content(rng) for _ in range(_FILES - sum(sizes) + _GROUPS - _NEAR)]
    near = [_nearly(rng, content) for content in contents[:_NEAR]]
    copies = [content for content, size in zip(contents, sizes, strict=False) for _ in range(size)]
    texts = [*copies, *contents[_GROUPS:], *near]
    rng.shuffle(texts)
    files: dict[str, str] = {}
    names: set[str] = set()
    by_content: dict[str, set[str]] = {}
    for content in texts:
        name = _name(rng)
        while name in names:
            name = _name(rng)
        names.add(name)
        path = f"{rng.choice(_FOLDERS)}/{name}"
        files[path] = content
        by_content.setdefault(content, set()).add(path)
    return Planted(files, [paths for paths in by_content.values() if len(paths) > 1])


def _name(rng: random.Random) -> str:
    return f"{slug(heading(rng))}{rng.choice(('', ' (copy)', ' 2', ' final'))}.txt"


def _content(rng: random.Random) -> str:
    return f"{heading(rng)}\n\n{text(rng, rng.randint(1, 3))}\n{foreign(rng)}\n"


def _nearly(rng: random.Random, content: str) -> str:
    """Return the content with one byte more, less or changed."""
    place = next(place for place in range(len(content) // 2, len(content)) if content[place] == " ")
    return rng.choice(
        (
            content + "\n",
            content[:-1],
            content[:place] + " " + content[place:],
            content[:place] + "\n" + content[place + 1 :],
            content[0].lower() + content[1:],
        )
    )


def build(builder: Builder) -> None:
    """Write the planted files."""
    for path, content in plant(builder.rng).files.items():
        builder.write(path, content, past_moment(builder.rng))


if __name__ == "__main__":
    build_main(build)
