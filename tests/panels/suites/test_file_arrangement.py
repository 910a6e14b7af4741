from collections import Counter
from pathlib import Path

import pytest

from panels.suites.filesystem.desktop_template.file_arrangement.build import build, plant
from panels.suites.filesystem.desktop_template.file_arrangement.verify import truth, verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, rng_of

FOLDERS = ("archive", "temporary", "work", "home", "other")


def folders(seed: int = 1) -> dict[str, str]:
    return {file.name: file.folder for file in plant(rng_of("category/task", seed))}


@pytest.fixture
def solved(tmp_path: Path) -> Trees:
    trees = built(build, tmp_path)
    for name, folder in folders().items():
        trees.move(name, f"{folder}/{name}")
    return trees


@pytest.mark.parametrize("seed", range(10))
def test_the_verifier_finds_the_planted_folders(seed: int, tmp_path: Path) -> None:
    initial = Folder(built(build, tmp_path, seed=seed).initial)
    assert truth(initial) == folders(seed)
    assert Counter(folders(seed).values()) == dict(zip(FOLDERS, (12, 12, 14, 12, 10), strict=True))


def test_files_in_their_folders_pass(solved: Trees) -> None:
    assert solved.why_failed(verify) is None


def test_an_untouched_folder_fails(tmp_path: Path) -> None:
    assert (built(build, tmp_path).why_failed(verify) or "").endswith(" is missing")


@pytest.mark.parametrize("folder", FOLDERS)
def test_one_file_in_the_wrong_folder_fails(folder: str, solved: Trees) -> None:
    name = next(name for name, own in folders().items() if own == folder)
    other = next(other for other in FOLDERS if other != folder)
    solved.move(f"{folder}/{name}", f"{other}/{name}")
    assert solved.why_failed(verify) == f"{folder}/{name} is missing"


def test_a_copy_that_stays_behind_fails(solved: Trees) -> None:
    name, folder = next(iter(folders().items()))
    solved.put(name, (solved.final / folder / name).read_bytes())
    assert solved.why_failed(verify) == f"{name} was not moved"


def test_a_changed_file_fails(solved: Trees) -> None:
    name, folder = next(iter(folders().items()))
    solved.put(f"{folder}/{name}", "")
    assert solved.why_failed(verify) == f"{folder}/{name} was changed"


def test_a_sixth_folder_or_an_extra_file_fails(solved: Trees) -> None:
    (solved.final / "misc").mkdir()
    assert solved.why_failed(verify) == "the empty folder misc should not be there"
    solved.put("misc/list.txt", "")
    assert solved.why_failed(verify) == "misc/list.txt should not be there"
