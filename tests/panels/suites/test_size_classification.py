from collections import Counter
from pathlib import Path

import pytest

from panels.suites.filesystem.file_property.size_classification.build import build, plant
from panels.suites.filesystem.file_property.size_classification.verify import truth, verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, rng_of


def folder_of(size: int) -> str:
    return ("small", "medium", "large")[(size >= 300) + (size >= 701)]


def folders(seed: int = 1) -> dict[str, str]:
    return {file.name: folder_of(file.size) for file in plant(rng_of("category/task", seed))}


def name_of_size(size: int) -> str:
    return next(file.name for file in plant(rng_of("category/task", 1)) if file.size == size)


@pytest.fixture
def solved(tmp_path: Path) -> Trees:
    trees = built(build, tmp_path)
    for name, folder in folders().items():
        trees.move(name, f"{folder}/{name}")
    return trees


@pytest.mark.parametrize("seed", range(6))
def test_the_verifier_finds_the_planted_sizes(seed: int, tmp_path: Path) -> None:
    initial = Folder(built(build, tmp_path, seed=seed).initial)
    assert truth(initial) == folders(seed)
    assert len(initial.files()) == 80
    sizes = {file.name: file.size for file in plant(rng_of("category/task", seed))}
    assert sizes == {name: len(content) for name, content in initial.files().items()}


@pytest.mark.parametrize("seed", range(6))
def test_each_edge_has_files_and_characters_would_mislead(seed: int) -> None:
    files = plant(rng_of("category/task", seed))
    counts = Counter(file.size for file in files)
    assert [counts[size] for size in (299, 300, 700, 701)] == [4, 4, 4, 4]
    misleading = [
        file
        for file in files
        if folder_of(len(file.content)) != folder_of(len(file.content.encode()))
    ]
    assert len(misleading) >= 2
    assert len(set(folders(seed).values())) == 3


def test_sorted_files_pass(solved: Trees) -> None:
    assert solved.why_failed(verify) is None


def test_an_untouched_folder_fails(tmp_path: Path) -> None:
    assert (built(build, tmp_path).why_failed(verify) or "").endswith(" is missing")


@pytest.mark.parametrize(
    ("size", "folder", "other"),
    [
        (299, "small", "medium"),
        (300, "medium", "small"),
        (700, "medium", "large"),
        (701, "large", "medium"),
    ],
)
def test_a_file_on_the_wrong_side_of_an_edge_fails(
    size: int, folder: str, other: str, solved: Trees
) -> None:
    name = name_of_size(size)
    solved.move(f"{folder}/{name}", f"{other}/{name}")
    assert solved.why_failed(verify) == f"{folder}/{name} is missing"


def test_a_copy_that_stays_behind_fails(solved: Trees) -> None:
    name = name_of_size(701)
    solved.put(name, (solved.final / "large" / name).read_bytes())
    assert solved.why_failed(verify) == f"{name} was not moved"


def test_a_changed_file_fails(solved: Trees) -> None:
    path = f"large/{name_of_size(701)}"
    solved.put(path, (solved.final / path).read_bytes().upper())
    assert solved.why_failed(verify) == f"{path} was changed"


def test_an_extra_file_or_folder_fails(solved: Trees) -> None:
    (solved.final / "empty").mkdir()
    assert solved.why_failed(verify) == "the empty folder empty should not be there"
    solved.put("empty/list.txt", "")
    assert solved.why_failed(verify) == "empty/list.txt should not be there"
