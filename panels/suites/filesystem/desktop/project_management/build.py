"""Thirty scripts, tables and notes in fifteen folders, beside files whose names look alike."""

import random
from dataclasses import dataclass
from datetime import date, timedelta

from panels.suites.support import Builder, build_main, past_moment
from panels.suites.texts import PLACES, THINGS, heading, notes, paragraph, slug, table, text

_FOLDERS = (
    *("archive", "archive/2019", "archive/old laptop", "desk", "desk/inbox", "desk/later"),
    *("downloads", "downloads/mail", "home", "home/repairs", "home/repairs/photos", "study"),
    *("study/course one", "study/course two", "usb stick"),
)
_SCRIPT = '''"""{title}."""

{names} = [{values}]


def average(values: list[float]) -> float:
    """Return the mean of some {names}."""
    return sum(values) / len(values)


if __name__ == "__main__":
    print(f"{names}: {{average({names}):.2f}}")
'''


@dataclass(frozen=True)
class Planted:
    """One file: its path, its text and the folder it belongs in (its own where it stays)."""

    path: str
    content: str
    target: str


def plant(rng: random.Random) -> list[Planted]:
    """Return the thirty files to be moved and the files that stay."""
    made = [("projects/scripts", f"{_stem(rng)}.py", _script(rng)) for _ in range(10)]
    made += [("projects/tables", f"{_stem(rng)}.csv", table(rng, 8)) for _ in range(8)]
    made += [("projects/notes/plans", f"{_stem(rng)}.md", _plan(rng, n < 2)) for n in range(4)]
    made += [("projects/notes/journal", f"{_stem(rng)}.md", _journal(rng, n)) for n in range(4)]
    made += [("projects/notes/reference", f"{_stem(rng)}.md", _page(rng, n)) for n in range(4)]
    made += [("", f"{_stem(rng)}.{end}", table(rng, 5)) for end in ("CSV", "csv.bak", "tsv")]
    made += [("", f"{_stem(rng)}.{end}", _script(rng)) for end in ("py.txt", "pyw")]
    made += [("", f"{_stem(rng)}.markdown", _plan(rng, False)), ("", "md", _plan(rng, False))]
    made += [("", name, note) for name, note in notes(rng, 14).items()]
    rng.shuffle(made)
    planted: dict[str, Planted] = {}
    for number, (target, name, content) in enumerate(made):
        # The first fifteen go one to each folder, so that none is missing.
        folder = _FOLDERS[number] if number < len(_FOLDERS) else rng.choice(_FOLDERS)
        unique = name if name not in planted else f"{number} {name}"
        planted[unique] = Planted(f"{folder}/{unique}", content, target or folder)
    return list(planted.values())


def _stem(rng: random.Random) -> str:
    return slug(heading(rng))


def _script(rng: random.Random) -> str:
    names = rng.choice(THINGS) + "s"
    values = ", ".join(f"{rng.randint(1, 90)}.{rng.randint(0, 9)}" for _ in range(5))
    return _SCRIPT.format(title=heading(rng), names=names, values=values)


def _plan(rng: random.Random, with_dates: bool) -> str:
    """Return a plan; with dated entries it would be a journal, were it not for the open task."""
    done = [f"- [x] {paragraph(rng, 1)}" for _ in range(rng.randint(0, 3))]
    lines = [*done, *(f"- [ ] {paragraph(rng, 1)}" for _ in range(rng.randint(1, 4)))]
    rng.shuffle(lines)
    entries = _entries(rng, 2) if with_dates else ""
    return f"# {heading(rng)}\n\n{paragraph(rng, 2)}\n\n" + entries + "\n".join(lines) + "\n"


def _journal(rng: random.Random, number: int) -> str:
    """Return a journal; some have finished tasks, which do not make it a plan."""
    done = f"\n- [x] {paragraph(rng, 1)}\n" if number % 2 else ""
    return f"# {heading(rng)}\n\n{_entries(rng, 2 + number)}{done}"


def _entries(rng: random.Random, count: int) -> str:
    day = date(2023, 1, 1) + timedelta(days=rng.randrange(900))
    parts = []
    for _ in range(count):
        parts.append(f"## {day.isoformat()}\n\n{text(rng, 1)}\n")
        day += timedelta(days=rng.randint(1, 20))
    return "".join(parts)


def _page(rng: random.Random, number: int) -> str:
    """Return a page of reference; the first three nearly follow one of the other rules."""
    day = date(2024, 1, 1) + timedelta(days=rng.randrange(300))
    near = (
        f"## {day.isoformat()}\n\n{paragraph(rng, 2)}\n\n## {rng.choice(PLACES)}\n",
        f"Tick a box by hand: `- [ ]` becomes `- [x]`.\n\n- [x] {paragraph(rng, 1)}\n",
        f"Seen on {day.isoformat()} and again on {day + timedelta(days=3)}.\n",
        "",
    )
    return f"# {heading(rng)}\n\n{text(rng, 2)}\n{near[number]}"


def build(builder: Builder) -> None:
    """Write the planted files."""
    for file in plant(builder.rng):
        builder.write(file.path, file.content, past_moment(builder.rng))


if __name__ == "__main__":
    build_main(build)
