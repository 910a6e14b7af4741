"""The tasks of the suite organization: a grid of files by levels, and one setting drawn afresh."""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import panels.suites.support
from panels.suites.filesystem.file_property.dated_files import Planted
from panels.suites.filesystem.file_property.day_folders import files_by_day
from panels.suites.organization.instances import FORMS, Levels, plant
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, copy_of, rng_of, tree_hash
from tests.panels.suites.solutions import by_day, sort_into_days

SUITES = Path(panels.suites.support.__file__).parent
BOTH: tuple[Levels, ...] = (2, 3)
FRESH: Levels = 3
INSTANCES: dict[str, tuple[int, Levels]] = {
    **{
        f"grid/files_{files:02}_levels_{levels}": (files, levels)
        for files in (8, 16, 24, 32)
        for levels in BOTH
    },
    **{f"fresh/seed_{number}": (16, FRESH) for number in (1, 2, 3)},
}

every_instance = pytest.mark.parametrize("task", INSTANCES)

Sorted = dict[str, list[Planted]]


def module(task: str, name: str) -> Any:
    return import_module(f"panels.suites.organization.{task.replace('/', '.')}.{name}")


def planted(task: str, seed: int = 1) -> Sorted:
    files, levels = INSTANCES[task]
    return by_day(plant(rng_of(task, seed), files, levels), FORMS[levels])


@pytest.fixture(scope="module")
def initial(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Build each task once."""

    @cache
    def of(task: str) -> Path:
        return built(module(task, "build").build, tmp_path_factory.mktemp("initial"), task).initial

    return of


@pytest.fixture
def solved(initial: Callable[[str], Path], tmp_path: Path) -> Callable[[str], tuple[Trees, Sorted]]:
    """Sort a copy of a task's files as asked."""

    def of(task: str) -> tuple[Trees, Sorted]:
        trees = copy_of(initial(task), tmp_path)
        days = planted(task)
        sort_into_days(trees, days)
        return trees, days

    return of


def test_the_suite_holds_these_instances_and_no_other_task() -> None:
    suite = SUITES / "organization"
    found = {path.parent.relative_to(suite).as_posix() for path in suite.glob("*/*/build.py")}
    assert found == set(INSTANCES)


@every_instance
@pytest.mark.parametrize("seed", range(10))
def test_every_draw_has_its_size_and_the_traps(task: str, seed: int) -> None:
    files, levels = INSTANCES[task]
    days = planted(task, seed)
    assert (sum(map(len, days.values())), len(days)) == (files, files // 4 + 2)
    assert {day.count("/") for day in days} == {levels - 1}
    assert min(map(len, days.values())) == 1
    moments = Counter(file.modified for group in days.values() for file in group)
    clocks = {f"{moment:%H:%M:%S}" for moment in moments}
    assert {"00:00:00", "23:59:59"} <= clocks
    assert any(
        moments[min(file.modified for file in group)] >= 2
        and moments[max(file.modified for file in group)] >= 2
        and len({file.modified for file in group}) > 1
        for group in days.values()
    )
    years = {moment.year for moment in moments}
    assert years == ({2024, 2025} if levels == 3 else {2025})
    # Some day of the year occurs in both years, so that none but the asked levels tell them apart.
    assert len({day[-5:] for day in days}) == len(days) - (levels == 3)


@every_instance
def test_the_needed_calls_stay_within_ninety(task: str) -> None:
    days = planted(task)
    files = sum(map(len, days.values()))
    listing, infos, moves, folders, spans = 1, files, files, len(days), len(days)
    assert listing + infos + moves + folders + spans <= 90


@every_instance
def test_the_verifier_finds_the_planted_days(task: str, initial: Callable[[str], Path]) -> None:
    found = files_by_day(Folder(initial(task)), FORMS[INSTANCES[task][1]])
    assert {day: sorted(name for _, name in files) for day, files in found.items()} == {
        day: [file.name for file in files] for day, files in planted(task).items()
    }


def test_the_fresh_draws_differ_from_each_other_and_from_the_grid(
    initial: Callable[[str], Path],
) -> None:
    same_setting = [task for task, setting in INSTANCES.items() if setting == (16, 3)]
    assert len({tree_hash(initial(task)) for task in same_setting}) == len(same_setting) == 4


@every_instance
def test_instances_of_equal_levels_are_asked_for_alike(task: str) -> None:
    levels = INSTANCES[task][1]
    text = (SUITES / "organization" / task / "instruction.md").read_text()
    alike = "filesystem/file_property/time_classification"
    if levels == 3:
        alike = "organization/grid/files_08_levels_3"
    assert text == (SUITES / alike / "instruction.md").read_text()
    assert ("/workspace/YYYY/MM/DD" in text) == (levels == 3)


@every_instance
def test_sorted_files_with_their_spans_pass(
    task: str, solved: Callable[[str], tuple[Trees, Sorted]]
) -> None:
    trees, _ = solved(task)
    assert trees.why_failed(module(task, "verify").verify) is None


def leave_one(trees: Trees, days: Sorted) -> str:
    day, (file, *_) = next(iter(days.items()))
    trees.move(f"{day}/{file.name}", file.name)
    return f"{day}/{file.name} is missing"


def take_the_neighbouring_day(trees: Trees, days: Sorted) -> str:
    day, name = next(
        (day, file.name)
        for day, files in days.items()
        for file in files
        if f"{file.modified:%H:%M:%S}" == "00:00:00"
    )
    before = next(
        other
        for other, files in days.items()
        if any(f"{file.modified:%H:%M:%S}" == "23:59:59" for file in files)
    )
    trees.move(f"{day}/{name}", f"{before}/{name}")
    return f"{day}/{name} is missing"


def swap_a_span(trees: Trees, days: Sorted) -> str:
    day = next(day for day, files in days.items() if len(files) > 1)
    span = trees.final / day / "span.txt"
    span.write_text("\n".join(reversed(span.read_text().split("\n"))))
    return f"{day}/span.txt, line 1: expected 'first: "


def give_a_tie_to_the_later_name(trees: Trees, days: Sorted) -> str:
    for day, files in days.items():
        earliest = min(file.modified for file in files)
        tied = [file.name for file in files if file.modified == earliest]
        if len(tied) > 1:
            span = trees.final / day / "span.txt"
            span.write_text(span.read_text().replace(f"first: {tied[0]}", f"first: {tied[1]}"))
            return f"{day}/span.txt, line 1: expected 'first: {tied[0]}"
    raise AssertionError("no tie")


def drop_a_span(trees: Trees, days: Sorted) -> str:
    day = next(iter(days))
    (trees.final / day / "span.txt").unlink()
    return f"{day}/span.txt is missing"


def put_a_span_too_high(trees: Trees, days: Sorted) -> str:
    month = next(iter(days)).rpartition("/")[0]
    trees.put(f"{month}/span.txt", "first: a\nlast: b\n")
    return f"{month}/span.txt should not be there"


def change_a_content(trees: Trees, days: Sorted) -> str:
    day, (file, *_) = next(iter(days.items()))
    trees.put(f"{day}/{file.name}", file.content + "\n")
    return f"{day}/{file.name} was changed"


def leave_an_empty_folder(trees: Trees, days: Sorted) -> str:
    (trees.final / "00").mkdir()
    return "the empty folder 00 should not be there"


@every_instance
@pytest.mark.parametrize(
    "spoil",
    [
        leave_one,
        take_the_neighbouring_day,
        swap_a_span,
        give_a_tie_to_the_later_name,
        drop_a_span,
        put_a_span_too_high,
        change_a_content,
        leave_an_empty_folder,
    ],
)
def test_a_wrong_folder_fails_for_its_own_reason(
    task: str,
    spoil: Callable[[Trees, Sorted], str],
    solved: Callable[[str], tuple[Trees, Sorted]],
) -> None:
    trees, days = solved(task)
    reason = spoil(trees, days)
    assert (trees.why_failed(module(task, "verify").verify) or "").startswith(reason)


@pytest.mark.parametrize("task", [task for task, (_, levels) in INSTANCES.items() if levels == 3])
def test_days_without_their_year_fail(
    task: str, initial: Callable[[str], Path], tmp_path: Path
) -> None:
    trees = copy_of(initial(task), tmp_path)
    files = [file for group in planted(task).values() for file in group]
    sort_into_days(trees, by_day(files, FORMS[2]))
    assert (trees.why_failed(module(task, "verify").verify) or "").endswith("is missing")


def test_the_scripts_run_on_their_own_and_tell_the_verdict(tmp_path: Path) -> None:
    task = "fresh/seed_2"
    script = SUITES / "organization" / task / "build.py"
    trees = Trees(tmp_path / "initial", tmp_path / "final")
    for target in (trees.initial, trees.final):
        target.mkdir()
        subprocess.run([sys.executable, script, target, "7"], check=True)
    verifier = str(script.with_name("verify.py"))
    judge = [sys.executable, verifier, str(trees.final), str(trees.initial)]
    failed = subprocess.run(judge, capture_output=True, text=True, check=False)
    assert failed.returncode == 1
    assert failed.stdout.endswith("is missing\n")
    sort_into_days(trees, planted(task, 7))
    passed = subprocess.run(judge, capture_output=True, text=True, check=False)
    assert (passed.returncode, passed.stdout) == (0, "pass\n")
