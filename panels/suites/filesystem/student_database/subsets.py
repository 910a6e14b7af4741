"""Subsets of one pool: some of the 150 students whom the English talent task has at a seed.

A student's files are those of that task, byte for byte, whatever the subset. A subset of 150 is the
pool itself: two tasks of that size differ in their programs alone.
"""

import random
from collections.abc import Sequence

from panels.suites.filesystem.student_database.records import (
    Student,
    is_talent,
    records,
    students,
    write_record,
)
from panels.suites.support import Builder, rng_of

__all__ = ["build_subset", "subset"]

_POOL = "student_database/english_talent"


def build_subset(builder: Builder, count: int, subset_seed: int) -> None:
    """Write a subset's folders at the root; the builder's seed is that of the pool."""
    rng = rng_of(_POOL, builder.seed)
    pool = students(rng)
    chosen = frozenset(subset(pool, count, subset_seed))
    for record in records(rng, pool):
        if record.student in chosen:
            write_record(builder, record)


def subset(pool: Sequence[Student], count: int, subset_seed: int) -> list[Student]:
    """Choose `count` students: at least two talents, and a near miss of either kind."""
    rng = random.Random(f"{count} students:{subset_seed}")
    while True:
        chosen = rng.sample(pool, count)
        others = [one for one in chosen if not is_talent(one)]
        by_grade = any(one.final_grade in ("S", "A") for one in others)
        by_score = any(one.toefl >= 100 for one in others)
        if count - len(others) >= 2 and by_grade and by_score:
            return chosen
