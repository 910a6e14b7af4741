"""Two tasks on the students' records: gradebased_score and duplicate_name."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from panels.suites.filesystem.student_database.duplicate_name import build as namesakes
from panels.suites.filesystem.student_database.duplicate_name import verify as names_verdict
from panels.suites.filesystem.student_database.gradebased_score import build as grades
from panels.suites.filesystem.student_database.gradebased_score import verify as grades_verdict
from panels.suites.filesystem.student_database.records import SUBJECTS, Student, students
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, copy_of, rng_of

SCORES, DUPLICATES = "student_database/gradebased_score", "student_database/duplicate_name"
TABLE, SUMMARY, LIST = "student_grades.csv", "grade_summary.txt", "namesakes.txt"


def letter(score: int) -> str:
    return "F" if score < 60 else "DCBAA"[score // 10 - 6]


def pool_of(task: str, seed: int) -> tuple[Student, ...]:
    return students(rng_of(task, seed))


def table(seed: int) -> str:
    lines = [f"student_id,name,{','.join(SUBJECTS)}"]
    for one in pool_of(SCORES, seed):
        lines.append(",".join([one.id, one.name, *map(letter, one.scores)]))
    return "\n".join(lines)


def summary(seed: int) -> str:
    lines = []
    for number, subject in enumerate(SUBJECTS):
        counts = Counter(letter(one.scores[number]) for one in pool_of(SCORES, seed))
        lines.append(f"{subject}: " + " ".join(f"{grade}={counts[grade]}" for grade in "ABCDF"))
    return "\n".join(lines)


def pairs(seed: int) -> str:
    pool = pool_of(DUPLICATES, seed)
    lines = []
    for position, one in enumerate(pool):
        lines += [
            f"{one.name}: {one.id}, {b.id}" for b in pool[position + 1 :] if b.name == one.name
        ]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def initial_scores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(grades.build, tmp_path_factory.mktemp("initial_scores"), SCORES).initial


@pytest.fixture
def graded(initial_scores: Path, tmp_path: Path) -> Trees:
    trees = copy_of(initial_scores, tmp_path)
    trees.put(TABLE, table(1))
    trees.put(SUMMARY, summary(1) + "\n")
    return trees


@pytest.fixture(scope="module")
def initial_duplicates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(namesakes.build, tmp_path_factory.mktemp("initial_duplicates"), DUPLICATES).initial


@pytest.fixture
def paired(initial_duplicates: Path, tmp_path: Path) -> Trees:
    trees = copy_of(initial_duplicates, tmp_path)
    trees.put(LIST, pairs(1))
    return trees


@pytest.mark.parametrize("seed", [1, 2, 101])
def test_the_truth_from_the_files_is_what_was_planted(tmp_path: Path, seed: int) -> None:
    trees = built(grades.build, tmp_path, SCORES, seed)
    assert grades_verdict.expected(Folder(trees.initial)) == (table(seed), summary(seed))
    (tmp_path / "names").mkdir()
    trees = built(namesakes.build, tmp_path / "names", DUPLICATES, seed)
    assert names_verdict.expected(Folder(trees.initial)) == pairs(seed)
    assert pairs(seed).count("\n") == 15


def test_the_records_hold_what_misleads() -> None:
    pool = pool_of(SCORES, 1)
    assert 50 < sum("," in one.address for one in pool) < 100
    assert {59, 60, 69, 70, 79, 80, 89, 90} <= {score for one in pool for score in one.scores}
    names = {one.name for one in pool_of(DUPLICATES, 1)}
    assert sum(" ".join(reversed(name.split(" "))) in names for name in names) == 6


def test_the_right_grades_pass(graded: Trees) -> None:
    assert graded.why_failed(grades_verdict.verify) is None


def test_the_right_namesakes_pass(paired: Trees) -> None:
    assert paired.why_failed(names_verdict.verify) is None


def shifted(trees: Trees) -> None:
    """Read each row from the left, as if no address held a comma."""
    lines = [table(1).split("\n")[0]]
    for one in pool_of(SCORES, 1):
        cells = one.basic_info().split("\n")[1].split(",")[7:12]
        found = [letter(int(cell)) if cell.isdecimal() else "F" for cell in cells]
        lines.append(",".join([one.id, one.name, *found]))
    trees.put(TABLE, "\n".join(lines))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda trees: (trees.final / TABLE).unlink(), f"{TABLE} is missing"),
        (lambda trees: (trees.final / SUMMARY).unlink(), f"{SUMMARY} is missing"),
        (shifted, f"{TABLE}, line "),
        (lambda trees: trees.put(TABLE, table(1).rpartition("\n")[0]), "expected 151 lines"),
        (lambda trees: trees.put(SUMMARY, summary(1).replace("A=", "A=1")), f"{SUMMARY}, line 1:"),
        (lambda trees: trees.move(TABLE, f"out/{TABLE}"), f"{TABLE} is missing"),
        (lambda trees: trees.put("notes.txt", ""), "notes.txt should not be there"),
        (
            lambda trees: trees.put(f"{pool_of(SCORES, 1)[0].folder}/basic_info.csv", "fixed"),
            "basic_info.csv was changed",
        ),
    ],
    ids=["no table", "no summary", "shifted", "short", "counts", "wrong place", "extra", "touched"],
)
def test_wrong_grades_fail_for_their_own_reason(
    graded: Trees, spoil: Callable[[Trees], None], reason: str
) -> None:
    spoil(graded)
    assert reason in str(graded.why_failed(grades_verdict.verify))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda trees: (trees.final / LIST).unlink(), "is missing"),
        (lambda trees: trees.put(LIST, pairs(1).replace(", ", ",")), "line 1:"),
        (lambda trees: trees.put(LIST, pairs(1).rpartition("\n")[0]), "expected 16 lines"),
        (lambda trees: trees.put(LIST, "\n".join(sorted(pairs(1).split("\n")))), ", line "),
        (lambda trees: trees.move(LIST, f"out/{LIST}"), "is missing"),
        (lambda trees: trees.put("notes.txt", ""), "notes.txt should not be there"),
        (lambda trees: trees.move(pool_of(DUPLICATES, 1)[0].folder, "seen"), "is gone"),
    ],
    ids=["missing", "form", "short", "by name", "wrong place", "extra", "moved input"],
)
def test_wrong_namesakes_fail_for_their_own_reason(
    paired: Trees, spoil: Callable[[Trees], None], reason: str
) -> None:
    spoil(paired)
    assert reason in str(paired.why_failed(names_verdict.verify))
