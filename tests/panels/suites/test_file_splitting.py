from pathlib import Path

import pytest

from panels.suites.filesystem.file_context.file_splitting.build import build, plant
from panels.suites.filesystem.file_context.file_splitting.verify import truth, verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, rng_of


def solve(trees: Trees) -> None:
    text = plant(rng_of("category/task", 1))
    size = len(text) // 10
    for number in range(10):
        start = number * size
        trees.put(f"parts/part_{number + 1:02}.txt", text[start : start + size])


@pytest.fixture
def solved(tmp_path: Path) -> Trees:
    trees = built(build, tmp_path)
    solve(trees)
    return trees


def test_ten_equal_parts_pass(solved: Trees) -> None:
    assert solved.why_failed(verify) is None


def test_an_untouched_folder_fails(tmp_path: Path) -> None:
    assert built(build, tmp_path).why_failed(verify) == "parts/part_01.txt is missing"


@pytest.mark.parametrize("seed", range(6))
def test_the_planted_text_has_equal_parts_without_white_space_at_the_cuts(seed: int) -> None:
    text = plant(rng_of("category/task", seed))
    size, rest = divmod(len(text), 10)
    assert rest == 0
    for start in range(0, len(text), size):
        assert not text[start].isspace()
        assert not text[start + size - 1].isspace()


@pytest.mark.parametrize("seed", range(3))
def test_the_verifier_cuts_the_planted_text(seed: int, tmp_path: Path) -> None:
    parts = truth(Folder(built(build, tmp_path, seed=seed).initial))
    text = plant(rng_of("category/task", seed))
    assert list(parts) == [f"parts/part_{number:02}.txt" for number in range(1, 11)]
    assert "".join(parts.values()) == text
    assert {len(part) for part in parts.values()} == {len(text) // 10}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_cuts_counted_in_encoded_units_fail(encoding: str, tmp_path: Path) -> None:
    trees = built(build, tmp_path)
    units = plant(rng_of("category/task", 1)).encode(encoding)
    size = len(units) // 10 // 2 * 2
    for number in range(10):
        part = units[number * size : (number + 1) * size if number < 9 else None]
        trees.put(f"parts/part_{number + 1:02}.txt", part.decode(encoding, "ignore"))
    why = trees.why_failed(verify)
    assert why is not None
    assert why.startswith("parts/part_01.txt has ")


def test_a_newline_more_at_the_end_of_a_part_fails(solved: Trees) -> None:
    path = solved.final / "parts/part_10.txt"
    path.write_text(path.read_text() + "\n")
    why = solved.why_failed(verify)
    assert why is not None
    assert why.startswith("parts/part_10.txt has ")


def test_one_other_character_fails(solved: Trees) -> None:
    path = solved.final / "parts/part_04.txt"
    text = path.read_text()
    path.write_text(text[:100] + ("x" if text[100] != "x" else "y") + text[101:])
    why = "parts/part_04.txt holds another text than its tenth of chronicle.txt"
    assert solved.why_failed(verify) == why


def test_two_swapped_parts_fail(solved: Trees) -> None:
    first, second = (solved.final / f"parts/part_0{number}.txt" for number in (1, 2))
    one, two = first.read_bytes(), second.read_bytes()
    first.write_bytes(two)
    second.write_bytes(one)
    why = "parts/part_01.txt holds another text than its tenth of chronicle.txt"
    assert solved.why_failed(verify) == why


def test_parts_in_the_root_folder_fail(solved: Trees) -> None:
    for number in range(1, 11):
        solved.move(f"parts/part_{number:02}.txt", f"part_{number:02}.txt")
    assert solved.why_failed(verify) == "parts/part_01.txt is missing"


def test_an_eleventh_part_fails(solved: Trees) -> None:
    solved.put("parts/part_11.txt", "")
    assert solved.why_failed(verify) == "parts/part_11.txt should not be there"


def test_a_changed_chronicle_fails(solved: Trees) -> None:
    solved.put("chronicle.txt", "")
    assert solved.why_failed(verify) == "chronicle.txt was changed"
