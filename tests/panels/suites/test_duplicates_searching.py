from pathlib import Path

import pytest

from panels.suites.filesystem.file_context.duplicates_searching.build import build, plant
from panels.suites.filesystem.file_context.duplicates_searching.verify import truth, verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, rng_of


def moves(seed: int = 1) -> dict[str, str]:
    groups = plant(rng_of("category/task", seed)).groups
    return {path: f"duplicates/{Path(path).name}" for group in groups for path in sorted(group)[1:]}


@pytest.fixture
def solved(tmp_path: Path) -> Trees:
    trees = built(build, tmp_path)
    for old, new in moves().items():
        trees.move(old, new)
    return trees


@pytest.mark.parametrize("seed", range(6))
def test_the_verifier_finds_the_planted_duplicates(seed: int, tmp_path: Path) -> None:
    initial = Folder(built(build, tmp_path, seed=seed).initial)
    assert truth(initial) == moves(seed)
    assert len(initial.files()) == 120


@pytest.mark.parametrize("seed", range(6))
def test_there_are_25_groups_and_twenty_near_duplicates(seed: int) -> None:
    planted = plant(rng_of("category/task", seed))
    assert len(planted.groups) == 25
    assert len(moves(seed)) == len(set(moves(seed).values())) == 38
    contents = set(planted.files.values())
    grouped = {planted.files[min(group)] for group in planted.groups}
    near = [
        content
        for content in contents - grouped
        if any(
            abs(len(content) - len(other)) <= 1 and differing(content, other) for other in grouped
        )
    ]
    assert len(near) == 20


def differing(one: str, other: str) -> bool:
    """Whether one insertion, removal or change makes the texts equal."""
    shorter = min(len(one), len(other))
    start = next((place for place in range(shorter) if one[place] != other[place]), shorter)
    tails = [(start + 1, start + 1), (start + 1, start), (start, start + 1)]
    return any(one[a:] == other[b:] for a, b in tails)


def test_moved_duplicates_pass(solved: Trees) -> None:
    assert solved.why_failed(verify) is None


def test_an_untouched_folder_fails(tmp_path: Path) -> None:
    assert (built(build, tmp_path).why_failed(verify) or "").endswith(" is missing")


def test_keeping_another_file_of_a_group_fails(solved: Trees) -> None:
    group = sorted(plant(rng_of("category/task", 1)).groups[0])
    kept, moved = group[0], group[1]
    solved.move(f"duplicates/{Path(moved).name}", moved)
    solved.move(kept, f"duplicates/{Path(kept).name}")
    assert solved.why_failed(verify) == f"duplicates/{Path(moved).name} is missing"


def test_moving_the_kept_file_too_fails(solved: Trees) -> None:
    kept = min(plant(rng_of("category/task", 1)).groups[0])
    solved.move(kept, f"duplicates/{Path(kept).name}")
    assert solved.why_failed(verify) in (
        f"{kept} is gone",
        f"duplicates/{Path(kept).name} should not be there",
    )


def test_a_near_duplicate_that_was_moved_fails(solved: Trees) -> None:
    grouped = {path for group in plant(rng_of("category/task", 1)).groups for path in group}
    single = min(set(Folder(solved.initial).files()) - grouped)
    solved.move(single, f"duplicates/{Path(single).name}")
    assert solved.why_failed(verify) in (
        f"{single} is gone",
        f"duplicates/{Path(single).name} should not be there",
    )


def test_a_copy_that_stays_behind_fails(solved: Trees) -> None:
    old, new = next(iter(moves().items()))
    solved.put(old, (solved.final / new).read_bytes())
    assert solved.why_failed(verify) == f"{old} was not moved"


def test_a_changed_duplicate_fails(solved: Trees) -> None:
    new = next(iter(moves().values()))
    solved.put(new, (solved.final / new).read_bytes() + b"\n")
    assert solved.why_failed(verify) == f"{new} was changed"


def test_an_extra_file_fails(solved: Trees) -> None:
    solved.put("duplicates/list.txt", "")
    assert solved.why_failed(verify) == "duplicates/list.txt should not be there"
