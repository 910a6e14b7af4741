"""Eighty files of up to 1,000 bytes, several at each edge, some with more bytes than characters."""

import random
from dataclasses import dataclass

from panels.suites.support import Builder, build_main, past_moment
from panels.suites.texts import foreign, heading, paragraph, slug

_FILES = 80
_EDGES = (299, 300, 700, 701)
_EACH = 4
_SUFFIXES = (".csv", ".log", ".md", ".txt")


@dataclass(frozen=True)
class Planted:
    """One file: its name, its text and its size in bytes."""

    name: str
    content: str
    size: int


def plant(rng: random.Random) -> list[Planted]:
    """Return the files; at each edge there are four, two of them with characters outside ASCII."""
    sizes = [edge for edge in _EDGES for _ in range(_EACH)]
    sizes += [rng.choice((rng.randint(40, 298), rng.randint(301, 699))) for _ in range(40)]
    sizes += [rng.randint(702, 1000) for _ in range(_FILES - len(sizes))]
    files: dict[str, Planted] = {}
    for number, size in enumerate(sizes):
        name = _name(rng)
        while name in files:
            name = _name(rng)
        files[name] = Planted(name, _exactly(rng, size, number % 2 == 0), size)
    planted = list(files.values())
    rng.shuffle(planted)
    return planted


def _name(rng: random.Random) -> str:
    return slug(heading(rng)) + rng.choice(_SUFFIXES)


def _exactly(rng: random.Random, size: int, mixed: bool) -> str:
    """Return a text of so many bytes in UTF-8, the last of them a newline."""
    lines: list[str] = []
    while len("\n".join(lines).encode()) < size:
        lines.append(foreign(rng) if mixed and len(lines) % 2 == 0 else paragraph(rng, 1))
    # A cut inside a character leaves bytes over: full stops make up for them.
    cut = "\n".join(lines).encode()[: size - 1].decode(errors="ignore")
    return cut + "." * (size - 1 - len(cut.encode())) + "\n"


def build(builder: Builder) -> None:
    """Write the files into the root folder."""
    for file in plant(builder.rng):
        builder.write(file.name, file.content, past_moment(builder.rng))


if __name__ == "__main__":
    build_main(build)
