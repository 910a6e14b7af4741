"""Build a long text and twenty short ones that share passages of 29, 30, 45 characters or none."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from panels.suites.support import Builder, build_main

LARGE = "large_file.txt"
LENGTHS = (29, 29, 29, 29, 30, 30, 30, 30, 45, 45, 45)

_SYLLABLES = """ba bru cé dal do fen gri hö ja ke lum ma nor ñe o pli qua ro sü ta ul ve wi xo yr
zan ça þo"""


@dataclass(frozen=True)
class Texts:
    """The long text, the short ones by name, and the planted answer: name to position from 1."""

    large: str
    small: dict[str, str]
    planted: dict[str, int]


def texts(rng: random.Random) -> Texts:
    """Make the texts. A planted passage ends on both sides where the short file differs."""
    large = _prose(rng, 12000)
    names = [f"file_{number:02}.txt" for number in range(1, 21)]
    lengths = dict(zip(rng.sample(names, len(LENGTHS)), LENGTHS, strict=True))
    starts = iter(rng.sample(range(5, len(large) // 60 - 5), len(LENGTHS)))
    small, planted = {}, {}
    for name in names:
        text = _prose(rng, rng.randint(500, 700))
        if name in lengths:
            start = next(starts) * 60 + rng.randint(0, 10)
            passage = large[start : start + lengths[name]]
            where = rng.randint(100, 400)
            # Signs that the prose does not hold keep the passage from growing by chance.
            text = f"{text[:where]}-{passage}-{text[where:]}"
            if lengths[name] >= 30:
                planted[name] = start + 1
        small[name] = text
    return Texts(large, small, planted)


def build(builder: Builder) -> None:
    """Write the files."""
    made = texts(builder.rng)
    for name, text in {LARGE: made.large, **made.small}.items():
        moment = datetime(2025, 5, 1, tzinfo=UTC) + timedelta(minutes=builder.rng.randrange(90000))
        builder.write(name, text, moment)


def _prose(rng: random.Random, length: int) -> str:
    """Make words without meaning, in lines of about 80 characters."""
    syllables = _SYLLABLES.split()
    lines, line, size = [], "", 0
    while size < length:
        line += "".join(rng.choices(syllables, k=rng.randint(1, 4)))
        if len(line) > 75:
            lines.append(line)
            size += len(line) + 1
            line = ""
        else:
            line += " "
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    build_main(build)
