"""The tasks of the suites workload and confirmation: subsets of one pool of students."""

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from panels.suites.filesystem.student_database.english_talent import build as pool_build
from panels.suites.filesystem.student_database.records import Student, is_talent, students
from panels.suites.filesystem.student_database.subsets import subset
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, copy_of, rng_of
from tests.panels.suites.solutions import TALENTS, talent_list

POOL = "student_database/english_talent"
SUBSETS = {
    **{
        f"workload/students_{count}/seed_{seed}": (count, seed)
        for count in (25, 75, 150)
        for seed in (1, 2)
    },
    **{f"confirmation/students_75/seed_{seed}": (75, seed) for seed in (101, 102, 103)},
}
SUITES = Path(pool_build.__file__).parents[3]

every_subset = pytest.mark.parametrize("task", SUBSETS)


def module(task: str, name: str) -> Any:
    return import_module(f"panels.suites.{task.replace('/', '.')}.{name}")


def chosen(task: str, seed: int) -> list[Student]:
    return sorted(subset(students(rng_of(POOL, seed)), *SUBSETS[task]), key=lambda one: one.id)


def talents(task: str, seed: int = 1) -> list[Student]:
    return [one for one in chosen(task, seed) if is_talent(one)]


@pytest.fixture(scope="module")
def initial(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Build each task once."""

    @cache
    def of(task: str) -> Path:
        folder = tmp_path_factory.mktemp("initial")
        return built(module(task, "build").build, folder, task.partition("/")[2]).initial

    return of


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return Folder(built(pool_build.build, tmp_path_factory.mktemp("pool"), POOL).initial)


def test_the_suites_hold_these_subsets_and_no_other_task() -> None:
    scripts = [*SUITES.glob("workload/*/*/build.py"), *SUITES.glob("confirmation/*/*/build.py")]
    assert {path.parent.relative_to(SUITES).as_posix() for path in scripts} == set(SUBSETS)


@every_subset
def test_a_subset_holds_students_of_the_one_pool_byte_for_byte(
    task: str, initial: Callable[[str], Path], pool: Folder
) -> None:
    found = Folder(initial(task))
    assert len(found.directories()) == SUBSETS[task][0]
    assert found.directories() == [one.folder for one in chosen(task, 1)]
    assert found.files().items() <= pool.files().items()
    assert all(found.modified(path) == pool.modified(path) for path in found.files())


def test_two_seeds_choose_differently_and_150_are_the_whole_pool() -> None:
    for count in (25, 75):
        drawn = {
            frozenset(one.id for one in chosen(task, 1))
            for task, (size, _) in SUBSETS.items()
            if size == count
        }
        assert len(drawn) == sum(size == count for size, _ in SUBSETS.values())
    ids = [one.id for one in students(rng_of(POOL, 1))]
    assert [one.id for one in chosen("workload/students_150/seed_1", 1)] == ids
    assert [one.id for one in chosen("workload/students_150/seed_2", 1)] == ids


@every_subset
@pytest.mark.parametrize("seed", range(20))
def test_every_pool_gives_a_list_and_near_misses_of_either_kind(task: str, seed: int) -> None:
    group = chosen(task, seed)
    assert len(talents(task, seed)) >= 2
    assert any(one.final_grade in "SA" and one.toefl < 100 for one in group)
    assert any(one.final_grade in "BCD" and one.toefl >= 100 for one in group)


@every_subset
def test_one_read_a_file_needs_more_calls_than_the_budget_from_75_students_on(
    task: str, initial: Callable[[str], Path]
) -> None:
    count = len(Folder(initial(task)).files())
    assert (count > 100) == (SUBSETS[task][0] >= 75)


@every_subset
def test_a_subset_is_asked_for_as_the_whole_year_is(task: str) -> None:
    whole = SUITES / "filesystem" / POOL / "instruction.md"
    assert (SUITES / task / "instruction.md").read_bytes() == whole.read_bytes()


@every_subset
def test_the_planted_talents_pass(
    task: str, initial: Callable[[str], Path], tmp_path: Path
) -> None:
    trees = copy_of(initial(task), tmp_path)
    trees.put(TALENTS, talent_list(talents(task)))
    assert trees.why_failed(module(task, "verify").verify) is None


def put_near_misses(trees: Trees, task: str) -> None:
    near = [one for one in chosen(task, 1) if is_talent(one) or one.final_grade in "SA"]
    trees.put(TALENTS, talent_list(near))


def put_other_addresses(trees: Trees, task: str) -> None:
    trees.put(TALENTS, talent_list(talents(task)).replace("@", "@mail."))


def touch(trees: Trees, task: str) -> None:
    one = talents(task)[0]
    trees.put(TALENTS, talent_list(talents(task)))
    trees.put(f"{one.folder}/basic_info.csv", one.basic_info() + "\n")


def add(trees: Trees, task: str) -> None:
    trees.put(TALENTS, talent_list(talents(task)))
    trees.put("notes.txt", "found")


WRONG: dict[str, tuple[Callable[[Trees, str], None], str]] = {
    "no list": (lambda trees, task: None, "is missing"),
    "one student short": (
        lambda trees, task: trees.put(TALENTS, talent_list(talents(task)[:-1])),
        "lines, found",
    ),
    "wrong order": (
        lambda trees, task: trees.put(TALENTS, talent_list(talents(task)[::-1])),
        "line 1:",
    ),
    "wrong email": (put_other_addresses, "line 3:"),
    "near misses": (put_near_misses, f"{TALENTS}, line "),
    "wrong place": (
        lambda trees, task: trees.put(f"out/{TALENTS}", talent_list(talents(task))),
        "is missing",
    ),
    "an extra file": (add, "notes.txt should not be there"),
    "a touched record": (touch, "basic_info.csv was changed"),
}


@every_subset
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_folder_fails_for_its_own_reason(
    task: str, wrong: str, initial: Callable[[str], Path], tmp_path: Path
) -> None:
    spoil, reason = WRONG[wrong]
    trees = copy_of(initial(task), tmp_path)
    spoil(trees, task)
    assert reason in str(trees.why_failed(module(task, "verify").verify))


def test_the_scripts_run_on_their_own_and_tell_the_verdict(tmp_path: Path) -> None:
    task = "confirmation/students_75/seed_102"
    script = SUITES / task / "build.py"
    initial, final = tmp_path / "initial", tmp_path / "final"
    for target in (initial, final):
        target.mkdir()
        subprocess.run([sys.executable, script, target, "7"], check=True)
    judge = [sys.executable, str(script.with_name("verify.py")), str(final), str(initial)]
    failed = subprocess.run(judge, capture_output=True, text=True, check=False)
    assert (failed.returncode, failed.stdout) == (1, f"{TALENTS} is missing\n")
    (final / TALENTS).write_text(talent_list(talents(task, 7)), encoding="utf-8")
    passed = subprocess.run(judge, capture_output=True, text=True, check=False)
    assert (passed.returncode, passed.stdout) == (0, "pass\n")
