from datetime import UTC, datetime
from pathlib import Path

import pytest

from panels.suites.filesystem.file_property.dated_files import Planted
from panels.suites.filesystem.file_property.day_folders import files_by_day
from panels.suites.filesystem.file_property.time_classification.build import build, plant
from panels.suites.filesystem.file_property.time_classification.verify import verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, rng_of
from tests.panels.suites.solutions import by_day, sort_into_days

FORM = "%m/%d"


def solve(trees: Trees) -> dict[str, list[Planted]]:
    days = by_day(plant(rng_of("category/task", 1)), FORM)
    sort_into_days(trees, days)
    return days


@pytest.fixture
def trees(tmp_path: Path) -> Trees:
    return built(build, tmp_path)


@pytest.mark.parametrize("seed", range(6))
def test_the_planted_files_have_the_edges_and_ties_of_the_task(seed: int) -> None:
    files = plant(rng_of("category/task", seed))
    days = by_day(files, FORM)
    assert (len(files), len(days)) == (32, 10)
    assert min(map(len, days.values())) == 1
    clocks = [f"{file.modified:%H:%M:%S}" for file in files]
    assert "00:00:00" in clocks
    assert "23:59:59" in clocks
    assert len(files) - len({file.modified for file in files}) >= 2


@pytest.mark.parametrize("seed", range(3))
def test_the_verifier_finds_the_planted_days(seed: int, tmp_path: Path) -> None:
    found = files_by_day(Folder(built(build, tmp_path, seed=seed).initial), FORM)
    planted = by_day(plant(rng_of("category/task", seed)), FORM)
    assert {day: sorted(name for _, name in files) for day, files in found.items()} == {
        day: [file.name for file in files] for day, files in planted.items()
    }


def test_sorted_files_with_their_spans_pass(trees: Trees) -> None:
    solve(trees)
    assert trees.why_failed(verify) is None


def test_an_untouched_folder_fails(trees: Trees) -> None:
    assert (trees.why_failed(verify) or "").endswith("is missing")


def test_a_file_sorted_by_another_time_zone_fails(trees: Trees) -> None:
    days = solve(trees)
    day = next(day for day, files in days.items() if any(_at_midnight(file) for file in files))
    name = next(file.name for file in days[day] if _at_midnight(file))
    other = next(other for other in days if other != day)
    trees.move(f"{day}/{name}", f"{other}/{name}")
    assert trees.why_failed(verify) == f"{day}/{name} is missing"


def _at_midnight(file: Planted) -> bool:
    return file.modified == datetime(2025, file.modified.month, file.modified.day, tzinfo=UTC)


def test_a_copy_that_stays_behind_fails(trees: Trees) -> None:
    file, *_ = next(iter(solve(trees).values()))
    trees.put(file.name, file.content)
    assert trees.why_failed(verify) == f"{file.name} is still in the root folder"


def test_a_changed_content_fails(trees: Trees) -> None:
    day, (file, *_) = next(iter(solve(trees).items()))
    trees.put(f"{day}/{file.name}", file.content + "\n")
    assert trees.why_failed(verify) == f"{day}/{file.name} was changed"


def test_a_missing_span_fails(trees: Trees) -> None:
    day = next(iter(solve(trees)))
    (trees.final / day / "span.txt").unlink()
    assert trees.why_failed(verify) == f"{day}/span.txt is missing"


def test_swapped_lines_of_a_span_fail(trees: Trees) -> None:
    day = next(day for day, files in solve(trees).items() if len(files) > 1)
    span = trees.final / day / "span.txt"
    span.write_text("\n".join(reversed(span.read_text().split("\n"))))
    assert (trees.why_failed(verify) or "").startswith(f"{day}/span.txt, line 1: expected ")


def test_a_tie_given_to_the_later_name_fails(trees: Trees) -> None:
    days = solve(trees)
    day, early, late = next(
        (day, one, two)
        for day, files in days.items()
        for one in files
        for two in files
        if one.modified == two.modified == min(file.modified for file in files)
        and one.name < two.name
    )
    span = trees.final / day / "span.txt"
    span.write_text(span.read_text().replace(f"first: {early.name}", f"first: {late.name}"))
    assert (trees.why_failed(verify) or "").startswith(f"{day}/span.txt, line 1: expected ")


def test_an_extra_file_or_an_empty_folder_fails(trees: Trees) -> None:
    solve(trees)
    (trees.final / "00").mkdir()
    assert trees.why_failed(verify) == "the empty folder 00 should not be there"
    (trees.final / "00/index.txt").write_text("done")
    assert trees.why_failed(verify) == "00/index.txt should not be there"
