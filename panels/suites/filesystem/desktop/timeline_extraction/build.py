"""A hundred and ten files: dates in six styles, months, spans, and numbers that are no dates."""

import random
from dataclasses import dataclass
from datetime import date, timedelta

from panels.suites.support import Builder, build_main, past_moment
from panels.suites.texts import THINGS, heading, notes, paragraph, slug, table, text

_FOLDERS = ("archive", "club", "garden", "house", "letters", "school", "work")
_DATED = (
    "The boiler will be looked after on {}.",
    "We agreed on {} for the next meeting.",
    "The parcel left the depot on {}, or so they say.",
    "Everything has to be handed in by {}.",
    "Her birthday party is on {}.",
    "On {} the whole street will have no water.",
)
_MONTHLY = ("The new lease starts in {}.", "Renew the insurance in {}.", "{} is booked out.")
_SPANS = ("The library is closed from {}.", "They are staying with us from {}.")
_DECOYS = (
    "Ask for the 2025 catalogue.",
    "Since 2019 nobody has looked at it, and in 2025 nobody will.",
    "The spare part has the number 2025-{a:02}-{b:04}.",
    "Invoice 2025/{b:04} is still open.",
    "The old contract ended on {a} June 2023.",
    "It was painted on 2024-{a:02}-17 for the last time.",
    "They moved in on 0{a}.10.2022.",
    "In November 2024 the price was lower.",
)


@dataclass(frozen=True)
class Planted:
    """One file: its path, its text and the dates of 2025 that it mentions, in any order."""

    path: str
    content: str
    dates: frozenset[date]


def plant(rng: random.Random) -> list[Planted]:
    """Return all files: fifty dated notes, twelve dated tables, the rest without a date of 2025."""
    made = [(".txt", *_note(rng, number)) for number in range(50)]
    made += [(".csv", *_dated_table(rng)) for _ in range(12)]
    made += [(".txt", _with(rng, _decoys(rng, 2)), frozenset()) for _ in range(18)]
    made += [(".csv", table(rng, 6), frozenset()) for _ in range(8)]
    made += [(".txt", content, frozenset()) for content in notes(rng, 22).values()]
    planted: dict[str, Planted] = {}
    for suffix, content, dates in made:
        path = _path(rng, suffix)
        while path in planted:
            path = _path(rng, suffix)
        planted[path] = Planted(path, content, dates)
    return list(planted.values())


def _path(rng: random.Random, suffix: str) -> str:
    stem = slug(heading(rng))
    # A date in a name is a decoy of its own.
    stem = f"{_day(rng)} {stem}" if rng.random() < 0.15 else stem
    return f"{rng.choice(_FOLDERS)}/{stem}{suffix}"


def _day(rng: random.Random) -> date:
    return date(2025, 1, 1) + timedelta(days=rng.randrange(365))


def _note(rng: random.Random, number: int) -> tuple[str, frozenset[date]]:
    sentences: list[str] = []
    dates: set[date] = set()
    for template in rng.sample(_DATED, rng.randint(1, 3)):
        day = _day(rng)
        dates.add(day)
        sentences.append(template.format(_written(rng, day)))
    match number % 4:
        case 0:
            first = _day(rng).replace(day=1)
            dates.add(first)
            sentences.append(rng.choice(_MONTHLY).format(f"{first:%B %Y}"))
        case 1:
            start = _day(rng).replace(day=rng.randint(1, 20))
            end = start + timedelta(days=rng.randint(1, 8))
            dates.update((start, end))
            span = f"{start.day} to {end.day} {end:%B %Y}"
            sentences.append(rng.choice(_SPANS).format(span))
        case 2:
            again = min(dates)
            sentences.append(f"Once more: {_written(rng, again)}.")
        case _:
            sentences += _decoys(rng, 1)
    return _with(rng, sentences), frozenset(dates)


def _written(rng: random.Random, day: date) -> str:
    return rng.choice(
        (
            f"{day:%Y-%m-%d}",
            f"{day:%Y/%m/%d}",
            f"{day:%d.%m.%Y}",
            f"{day.day} {day:%B %Y}",
            f"{day:%B} {day.day}, {day.year}",
            f"{day.day} {day:%b %Y}",
        )
    )


def _decoys(rng: random.Random, count: int) -> list[str]:
    return [
        template.format(a=rng.randint(1, 9), b=rng.randint(1, 9999))
        for template in rng.sample(_DECOYS, count)
    ]


def _with(rng: random.Random, sentences: list[str]) -> str:
    """Return a note with the given sentences at random places."""
    lines = [*sentences, *(paragraph(rng, rng.randint(1, 2)) for _ in range(rng.randint(1, 4)))]
    rng.shuffle(lines)
    return f"{heading(rng)}\n\n{' '.join(lines)}\n\n{text(rng, 1)}"


def _dated_table(rng: random.Random) -> tuple[str, frozenset[date]]:
    days = [_day(rng) for _ in range(rng.randint(2, 4))]
    older = [day.replace(year=2024) for day in days[:1]]
    mark = rng.choice(("%Y/%m/%d", "%d.%m.%Y", "%Y-%m-%d"))
    rows = [
        f"{rng.choice(THINGS)},{day.strftime(mark)},{rng.randint(2, 90)}" for day in days + older
    ]
    rng.shuffle(rows)
    return "\n".join(["thing,lent on,price", *rows]) + "\n", frozenset(days)


def build(builder: Builder) -> None:
    """Write the planted files."""
    for file in plant(builder.rng):
        builder.write(file.path, file.content, past_moment(builder.rng))


if __name__ == "__main__":
    build_main(build)
