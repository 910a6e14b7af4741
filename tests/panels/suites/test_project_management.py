import shutil
from collections import Counter
from pathlib import Path

import pytest

from panels.suites.filesystem.desktop.project_management.build import Planted, build, plant
from panels.suites.filesystem.desktop.project_management.verify import truth, verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, rng_of

PLANS, JOURNAL, REFERENCE = (f"projects/notes/{name}" for name in ("plans", "journal", "reference"))


def moved(seed: int = 1) -> dict[str, str]:
    return {
        file.path: f"{file.target}/{Path(file.path).name}"
        for file in plant(rng_of("category/task", seed))
        if not file.path.startswith(f"{file.target}/")
    }


@pytest.fixture
def solved(tmp_path: Path) -> Trees:
    trees = built(build, tmp_path)
    for old, new in moved().items():
        trees.move(old, new)
    return trees


def first_in(folder: str) -> str:
    return next(new for new in moved().values() if new.startswith(f"{folder}/"))


@pytest.mark.parametrize("seed", range(8))
def test_the_verifier_finds_the_planted_folders(seed: int, tmp_path: Path) -> None:
    initial = Folder(built(build, tmp_path, seed=seed).initial)
    assert truth(initial) == moved(seed)
    assert len(initial.directories()) == 15


@pytest.mark.parametrize("seed", range(8))
def test_thirty_files_of_different_names_have_to_be_moved(seed: int) -> None:
    targets = moved(seed).values()
    counts = Counter(target.rpartition("/")[0] for target in targets)
    assert counts == {
        "projects/scripts": 10,
        "projects/tables": 8,
        PLANS: 4,
        JOURNAL: 4,
        REFERENCE: 4,
    }
    assert len(set(targets)) == 30


def test_files_in_their_folders_pass(solved: Trees) -> None:
    assert solved.why_failed(verify) is None


def test_an_untouched_folder_fails(tmp_path: Path) -> None:
    assert (built(build, tmp_path).why_failed(verify) or "").endswith(" is missing")


@pytest.mark.parametrize(
    ("folder", "other"), [(PLANS, JOURNAL), (JOURNAL, PLANS), (REFERENCE, JOURNAL)]
)
def test_a_note_in_the_wrong_folder_fails(folder: str, other: str, solved: Trees) -> None:
    path = first_in(folder)
    solved.move(path, path.replace(folder, other))
    assert solved.why_failed(verify) == f"{path} is missing"


def test_a_look_alike_that_was_moved_fails(solved: Trees) -> None:
    files: list[Planted] = plant(rng_of("category/task", 1))
    path = next(file.path for file in files if file.path.endswith(".CSV"))
    solved.move(path, f"projects/tables/{Path(path).name}")
    assert solved.why_failed(verify) in (
        f"{path} is gone",
        f"projects/tables/{Path(path).name} should not be there",
    )


def test_a_copy_that_stays_behind_fails(solved: Trees) -> None:
    old = next(iter(truth(Folder(solved.initial))))
    solved.put(old, Folder(solved.initial).files()[old])
    assert solved.why_failed(verify) == f"{old} was not moved"


def test_a_changed_script_fails(solved: Trees) -> None:
    path = first_in("projects/scripts")
    solved.put(path, (solved.final / path).read_text().strip())
    assert solved.why_failed(verify) == f"{path} was changed"


def test_an_extra_file_or_an_empty_new_folder_fails(solved: Trees) -> None:
    (solved.final / "projects/other").mkdir()
    why = "the empty folder projects/other should not be there"
    assert solved.why_failed(verify) == why
    solved.put("projects/other/README.txt", "Sorted.\n")
    assert solved.why_failed(verify) == "projects/other/README.txt should not be there"


def test_a_removed_folder_fails(solved: Trees) -> None:
    shutil.rmtree(solved.final / "usb stick")
    assert solved.why_failed(verify) == "the folder usb stick is gone"
