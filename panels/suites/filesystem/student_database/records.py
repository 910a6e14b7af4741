"""A year of students: one folder each with `basic_info.csv` and `recommendation_letter.txt`."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from panels.suites.filesystem.people import ascii_form, full_names
from panels.suites.filesystem.student_database.letters import GRADES, letter
from panels.suites.support import Builder

__all__ = [
    "COLUMNS",
    "SUBJECTS",
    "Record",
    "Student",
    "is_talent",
    "records",
    "students",
    "write_record",
    "write_students",
]

SUBJECTS = ("literature", "mathematics", "english", "physics", "history")
COLUMNS = ("student_id", "name", "birth_date", "email", "toefl", "address", "class", *SUBJECTS)
"""The header of `basic_info.csv`. Only the address may hold commas, and it is never quoted."""

_SWAPPED = (("Quinn", "Avery"), ("Noel", "Martin"), ("Jordan", "Ellis"))
_STREETS = """Orchard Lane;Kiln Road;Ferry Street;St Brannoc's Hill;Lower Quay;Meadow Row;
Tannery Yard;Signal Street;Beacon Avenue;Old Mill Way;Harbour Terrace;Chapel Rise""".replace(
    "\n", ""
).split(";")
_TOWNS = ("Hallmere", "Port Issel", "Old Carrow", "Wexmouth", "Tarnby", "Lindow", "Ashgrave")
_EXTRAS = ("Flat {}", "Block {}", "Floor {}", "Room {}", "Staircase {}")


@dataclass(frozen=True)
class Student:
    """One student. `final_grade` is the letter's final English grade, S being the best."""

    id: str
    name: str
    birth_date: date
    toefl: int
    address: str
    form: str
    scores: tuple[int, ...]
    final_grade: str

    @property
    def folder(self) -> str:
        """The student's folder below the root."""
        return f"{self.id}_{self.name.replace(' ', '_')}"

    @property
    def email(self) -> str:
        """The student's address; the id keeps namesakes apart."""
        return f"{ascii_form(self.name).lower().replace(' ', '.')}{self.id[-3:]}@hallmere.example"

    def basic_info(self) -> str:
        """Return the content of `basic_info.csv`."""
        row = (self.id, self.name, self.birth_date, self.email, self.toefl, self.address, self.form)
        return f"{','.join(COLUMNS)}\n{','.join(map(str, (*row, *self.scores)))}\n"


@dataclass(frozen=True)
class Record:
    """What a student's folder holds; `modified` is the time of both files."""

    student: Student
    letter: str
    modified: datetime


def is_talent(student: Student) -> bool:
    """Tell whether the English talent task selects a student."""
    return student.final_grade in ("S", "A") and student.toefl >= 100


def students(rng: random.Random, count: int = 150) -> tuple[Student, ...]:
    """Invent students in the order of their ids.

    In 150 there are 16 pairs of namesakes, 3 pairs of swapped names, and 17 to 21 students with
    grade S or A and a TOEFL score of 100 or more; beside these as many near misses of either kind.
    """
    ids = sorted(rng.sample(range(20230001, 20239999), count))
    names = _names(rng, count)
    abilities = _abilities(rng, count)
    return tuple(
        Student(
            id=str(number),
            name=name,
            birth_date=date(2005, 9, 1) + timedelta(days=rng.randrange(365)),
            toefl=toefl,
            address=_address(rng),
            form=f"{rng.choice('KLM')}{rng.randint(1, 4)}",
            scores=tuple(_score(rng) for _ in SUBJECTS),
            final_grade=grade,
        )
        for number, name, (grade, toefl) in zip(ids, names, abilities, strict=True)
    )


def write_students(builder: Builder, pool: Sequence[Student]) -> None:
    """Write the two files of each student."""
    for record in records(builder.rng, pool):
        write_record(builder, record)


def records(rng: random.Random, pool: Sequence[Student]) -> Iterator[Record]:
    """Invent the students' letters, in the order of the pool."""
    for one in pool:
        moment = datetime(2025, 9, 1, tzinfo=UTC) + timedelta(minutes=rng.randrange(150000))
        yield Record(one, letter(rng, one.id, one.name, one.final_grade, moment), moment)


def write_record(builder: Builder, record: Record) -> None:
    """Write the two files of one student."""
    student, moment = record.student, record.modified
    builder.write(f"{student.folder}/basic_info.csv", student.basic_info(), moment)
    builder.write(f"{student.folder}/recommendation_letter.txt", record.letter, moment)


def _names(rng: random.Random, count: int) -> list[str]:
    """Draw the students' names, namesakes and swapped names among them, in no order."""
    pairs, swaps = count * 16 // 150, count * 3 // 150
    unique = full_names(rng, count - pairs - 2 * swaps)
    swapped = [f"{a} {b}" for pair in _SWAPPED[:swaps] for a, b in (pair, pair[::-1])]
    names = [*unique, *unique[:pairs], *swapped]
    rng.shuffle(names)
    return names


def _abilities(rng: random.Random, count: int) -> list[tuple[str, int]]:
    """Draw final English grades and TOEFL scores: talents, two kinds of near misses, the others."""
    share = count // 25
    talents = 3 * share + rng.randint(-1, 3)
    drawn = [(rng.choice("SA"), 100), (rng.choice("SA"), 99), ("B", 100)]
    drawn += [(rng.choice("SA"), rng.randint(100, 118)) for _ in range(talents - 1)]
    drawn += [(rng.choice("SA"), rng.randint(78, 99)) for _ in range(3 * share)]
    drawn += [(rng.choice("BBC"), rng.randint(100, 117)) for _ in range(3 * share)]
    while len(drawn) < count:
        drawn.append((rng.choice(GRADES[2:]), rng.randint(61, 99)))
    rng.shuffle(drawn)
    return drawn


def _address(rng: random.Random) -> str:
    parts = [f"{rng.randint(1, 140)} {rng.choice(_STREETS)}"]
    if rng.random() < 0.25:
        parts.insert(0, rng.choice(_EXTRAS).format(rng.randint(1, 30)))
    if rng.random() < 0.35:
        parts.append(rng.choice(_TOWNS))
    return ", ".join(parts)


def _score(rng: random.Random) -> int:
    """Draw a score from 0 to 100; the lowest of each grade, and the one below, are frequent."""
    if rng.random() < 0.2:
        return rng.choice((59, 60, 69, 70, 79, 80, 89, 90))
    return rng.randint(41, 100)
