import re
from pathlib import Path

import pytest

from panels.suites.filesystem.file_context.uppercase.build import build, plant
from panels.suites.filesystem.file_context.uppercase.verify import truth, verify, words
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, rng_of

COUNTS = "uppercase/word_counts.txt"
NAMES = [f"text_{number:02}.txt" for number in range(1, 11)]


def expected(seed: int = 1) -> dict[str, str]:
    texts = plant(rng_of("category/task", seed))
    copies = {f"uppercase/{name}": texts[name].upper() for name in NAMES}
    counts = (f"{name}:{counted(texts[name])}\n" for name in NAMES)
    return copies | {COUNTS: "".join(counts)}


def counted(text: str) -> int:
    """Count by another route than the verifier: a letter or digit with what touches it."""
    return len(re.findall(r"\S*[^\W_]\S*", text))


@pytest.fixture
def solved(tmp_path: Path) -> Trees:
    trees = built(build, tmp_path)
    for path, text in expected().items():
        trees.put(path, text)
    return trees


@pytest.mark.parametrize("seed", range(6))
def test_the_verifier_finds_what_is_to_be_written(seed: int, tmp_path: Path) -> None:
    initial = Folder(built(build, tmp_path, seed=seed).initial)
    assert len(initial.files()) == 40
    found = truth(initial)
    assert {path: text.rstrip("\n") for path, text in found.items()} == {
        path: text.rstrip("\n") for path, text in expected(seed).items()
    }


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("a half-finished door", 3),
        ("one — two - three", 3),
        ("It costs 3,50 € … or less !", 5),
        ("“Grüße,” she said  twice.\n\nDone", 5),
        ("キツネ 🦊", 1),
    ],
)
def test_a_word_holds_a_letter_or_a_digit(text: str, count: int) -> None:
    assert words(text) == count


def test_capital_copies_and_counts_pass(solved: Trees) -> None:
    assert solved.why_failed(verify) is None


def test_an_untouched_folder_fails(tmp_path: Path) -> None:
    assert built(build, tmp_path).why_failed(verify) == "uppercase/text_01.txt is missing"


def test_a_copy_with_only_ascii_capitals_fails(solved: Trees) -> None:
    texts = plant(rng_of("category/task", 1))
    name = next(name for name in NAMES if "ß" in texts[name])
    ascii_only = re.sub("[a-z]+", lambda match: match[0].upper(), texts[name])
    solved.put(f"uppercase/{name}", ascii_only)
    assert (solved.why_failed(verify) or "").startswith(f"uppercase/{name}, line ")


def test_a_copy_with_single_spaces_fails(solved: Trees) -> None:
    texts = plant(rng_of("category/task", 1))
    name = next(name for name in NAMES if "   " in texts[name])
    solved.put(f"uppercase/{name}", re.sub(" +", " ", texts[name].upper()))
    assert (solved.why_failed(verify) or "").startswith(f"uppercase/{name}, line ")


def test_counting_lone_dashes_fails(solved: Trees) -> None:
    texts = plant(rng_of("category/task", 1))
    solved.put(COUNTS, "\n".join(f"{name}:{len(texts[name].split())}" for name in NAMES))
    assert (solved.why_failed(verify) or "").startswith(f"{COUNTS}, line ")


def test_a_missing_count_fails(solved: Trees) -> None:
    solved.put(COUNTS, "\n".join(expected()[COUNTS].splitlines()[:9]))
    assert solved.why_failed(verify) == f"{COUNTS}: expected 10 lines, found 9"


def test_counts_in_another_place_fail(solved: Trees) -> None:
    solved.move(COUNTS, "word_counts.txt")
    assert solved.why_failed(verify) == f"{COUNTS} is missing"


def test_an_eleventh_copy_fails(solved: Trees) -> None:
    solved.put("uppercase/text_11.txt", plant(rng_of("category/task", 1))["text_11.txt"].upper())
    assert solved.why_failed(verify) == "uppercase/text_11.txt should not be there"


def test_a_text_that_was_written_over_fails(solved: Trees) -> None:
    solved.put("texts/text_03.txt", expected()["uppercase/text_03.txt"])
    assert solved.why_failed(verify) == "texts/text_03.txt was changed"
