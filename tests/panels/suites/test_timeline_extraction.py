from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from panels.suites.filesystem.desktop.timeline_extraction.build import build, plant
from panels.suites.filesystem.desktop.timeline_extraction.verify import dates_in, truth, verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, rng_of

RESULT = "timeline.txt"


def planted_lines(seed: int = 1) -> list[str]:
    files = plant(rng_of("category/task", seed))
    pairs = sorted((day, file.path) for file in files for day in file.dates)
    return [f"{path}:{day}" for day, path in pairs]


@pytest.fixture
def trees(tmp_path: Path) -> Trees:
    return built(build, tmp_path)


@pytest.mark.parametrize("seed", range(10))
def test_the_verifier_finds_the_planted_dates(seed: int, tmp_path: Path) -> None:
    initial = Folder(built(build, tmp_path, seed=seed).initial)
    assert len(initial.files()) == 110
    assert truth(initial) == planted_lines(seed)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on 2025-03-04.", [(3, 4)]),
        ("2025/03/04,", [(3, 4)]),
        ("04.03.2025", [(3, 4)]),
        ("4 March 2025", [(3, 4)]),
        ("March 4, 2025", [(3, 4)]),
        ("4 Mar 2025", [(3, 4)]),
        ("14 May 2025", [(5, 14)]),
        ("March 2025", [(3, 1)]),
        ("from 4 to 9 March 2025", [(3, 4), (3, 9)]),
        ("the 2025 catalogue", []),
        ("number 2025-03-0417", []),
        ("Invoice 2025/0304", []),
        ("4 March 2024, March 2024, 2024-03-04, 04.03.2024", []),
    ],
)
def test_each_style_means_its_days(text: str, days: list[tuple[int, int]]) -> None:
    assert sorted(dates_in(text)) == [date(2025, month, day) for month, day in days]


def test_the_planted_timeline_passes(trees: Trees) -> None:
    trees.put(RESULT, "\n".join(planted_lines()) + "\n")
    assert trees.why_failed(verify) is None


def test_an_untouched_folder_fails(trees: Trees) -> None:
    assert trees.why_failed(verify) == "timeline.txt is missing"


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda lines: lines[:-1], "expected "),
        (lambda lines: [*lines, lines[-1]], "expected "),
        (lambda lines: [lines[0].replace("2025", "2024"), *lines[1:]], "line 1: "),
        (lambda lines: [f"/workspace/{lines[0]}", *lines[1:]], "line 1: "),
        (lambda lines: [lines[1], lines[0], *lines[2:]], "line 1: "),
        (lambda lines: sorted(lines), "line "),
    ],
)
def test_a_timeline_with_one_thing_wrong_fails(
    spoil: Callable[[list[str]], list[str]], why: str, trees: Trees
) -> None:
    trees.put(RESULT, "\n".join(spoil(planted_lines())))
    assert why in (trees.why_failed(verify) or "")


def test_a_timeline_in_another_place_fails(trees: Trees) -> None:
    trees.put("house/timeline.txt", "\n".join(planted_lines()))
    assert trees.why_failed(verify) == "timeline.txt is missing"


def test_an_extra_file_fails(trees: Trees) -> None:
    trees.put(RESULT, "\n".join(planted_lines()))
    trees.put("dates.csv", "")
    assert trees.why_failed(verify) == "dates.csv should not be there"


def test_a_changed_note_fails(trees: Trees) -> None:
    trees.put(RESULT, "\n".join(planted_lines()))
    path = plant(rng_of("category/task", 1))[0].path
    trees.put(path, "2025-01-01\n")
    assert trees.why_failed(verify) == f"{path} was changed"
