import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from panels.suites.filesystem.student_database.english_talent import build, verify
from panels.suites.filesystem.student_database.records import Student, is_talent, students
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, copy_of, rng_of
from tests.panels.suites.solutions import TALENTS as OUTPUT
from tests.panels.suites.solutions import talent_list as answer

TASK = "student_database/english_talent"


def pool_of(seed: int) -> tuple[Student, ...]:
    return students(rng_of(TASK, seed))


@pytest.fixture(scope="module")
def initial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(build.build, tmp_path_factory.mktemp("initial"), TASK).initial


@pytest.fixture
def trees(initial: Path, tmp_path: Path) -> Trees:
    return copy_of(initial, tmp_path)


@pytest.fixture
def talents() -> list[Student]:
    return [student for student in pool_of(1) if is_talent(student)]


@pytest.mark.parametrize("seed", [1, 2, 3, 101])
def test_the_truth_from_the_files_is_what_was_planted(tmp_path: Path, seed: int) -> None:
    trees = built(build.build, tmp_path, TASK, seed)
    talents = [student for student in pool_of(seed) if is_talent(student)]
    assert 17 <= len(talents) <= 21
    assert verify.expected(Folder(trees.initial)) == answer(talents) + "\n"


def test_the_pool_holds_near_misses_of_either_kind_and_both_edges() -> None:
    pool = pool_of(1)
    assert sum(one.final_grade in "SA" and one.toefl < 100 for one in pool) >= 18
    assert sum(one.final_grade not in "SA" and one.toefl >= 100 for one in pool) >= 18
    assert any(one.final_grade in "SA" and one.toefl == 99 for one in pool)
    assert any(is_talent(one) and one.toefl == 100 for one in pool)
    assert len(pool) == 150
    assert len({one.name for one in pool}) == 150 - 16
    assert sum("," in one.address for one in pool) > 50


@pytest.mark.parametrize("count", [25, 75, 150])
def test_a_smaller_pool_keeps_its_shape(count: int) -> None:
    pool = students(rng_of(TASK, 5), count)
    assert len(pool) == len({one.id for one in pool}) == count
    assert [one.id for one in pool] == sorted(one.id for one in pool)
    assert 2 <= sum(is_talent(one) for one in pool) < count // 5


def test_the_right_list_passes_with_and_without_a_last_line_end(
    trees: Trees, talents: list[Student]
) -> None:
    trees.put(OUTPUT, answer(talents))
    assert trees.why_failed(verify.verify) is None
    trees.put(OUTPUT, answer(talents) + "\n")
    assert trees.why_failed(verify.verify) is None


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda trees, one: None, "is missing"),
        (lambda trees, one: trees.put(OUTPUT, answer(one[:-1])), "lines, found"),
        (lambda trees, one: trees.put(OUTPUT, answer([one[1], one[0], *one[2:]])), "line 1:"),
        (
            lambda trees, one: trees.put(OUTPUT, answer(one).replace(one[3].email, "x@y.example")),
            "line 15:",
        ),
        (lambda trees, one: trees.put(f"out/{OUTPUT}", answer(one)), "is missing"),
        (lambda trees, one: trees.put(OUTPUT, answer(one).replace("\n\n", "\n")), "line 4:"),
    ],
    ids=["no list", "one student short", "wrong order", "wrong email", "wrong place", "no gaps"],
)
def test_a_wrong_list_fails_for_its_own_reason(
    trees: Trees,
    talents: list[Student],
    spoil: Callable[[Trees, list[Student]], None],
    reason: str,
) -> None:
    spoil(trees, talents)
    assert reason in str(trees.why_failed(verify.verify))


def test_a_near_miss_in_the_list_fails(trees: Trees) -> None:
    near = [one for one in pool_of(1) if is_talent(one) or one.final_grade in "SA"]
    trees.put(OUTPUT, answer(near))
    assert f"{OUTPUT}, line" in str(trees.why_failed(verify.verify))


def test_a_touched_record_or_an_extra_file_fails(trees: Trees, talents: list[Student]) -> None:
    trees.put(OUTPUT, answer(talents))
    trees.put("notes.txt", "19 found")
    assert trees.why_failed(verify.verify) == "notes.txt should not be there"
    (trees.final / "notes.txt").unlink()
    trees.put(f"{talents[0].folder}/basic_info.csv", talents[0].basic_info() + "\n")
    assert "basic_info.csv was changed" in str(trees.why_failed(verify.verify))


def test_the_scripts_run_on_their_own_and_tell_the_verdict(tmp_path: Path) -> None:
    script = Path(build.__file__)
    initial, final = tmp_path / "initial", tmp_path / "final"
    for target in (initial, final):
        target.mkdir()
        subprocess.run([sys.executable, script, target, "7"], check=True)
    judge = [sys.executable, str(script.with_name("verify.py")), str(final), str(initial)]
    failed = subprocess.run(judge, capture_output=True, text=True, check=False)
    assert (failed.returncode, failed.stdout) == (1, f"{OUTPUT} is missing\n")
    talents = [student for student in pool_of(7) if is_talent(student)]
    (final / OUTPUT).write_text(answer(talents), encoding="utf-8")
    passed = subprocess.run(judge, capture_output=True, text=True, check=False)
    assert (passed.returncode, passed.stdout) == (0, "pass\n")
