import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from panels.suites.filesystem.papers.corpus import page_path, read_page
from panels.suites.filesystem.papers.find_math_paper import build, remembered, verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, copy_of, rng_of

TASK = "papers/find_math_paper"
OUTPUT = "papers/answer.html"


def library(seed: int) -> remembered.Library:
    return remembered.library(rng_of(TASK, seed))


def target(seed: int) -> str:
    return page_path(library(seed).remembered)


def near_miss() -> str:
    papers = library(1).papers
    return next(page_path(one.id) for one in papers if traits_of(one.abstract) == 5)


def traits_of(abstract: str) -> int:
    traits = remembered.TRAITS
    return sum(any(wording in abstract for wording in trait.fitting) for trait in traits)


@pytest.fixture(scope="module")
def initial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(build.build, tmp_path_factory.mktemp("initial"), TASK).initial


@pytest.fixture
def trees(initial: Path, tmp_path: Path) -> Trees:
    return copy_of(initial, tmp_path)


@pytest.mark.parametrize("seed", [1, 2, 3, 101])
def test_the_truth_from_the_pages_is_what_was_planted(tmp_path: Path, seed: int) -> None:
    trees = built(build.build, tmp_path, TASK, seed)
    assert verify.remembered(Folder(trees.initial)) == target(seed)


@pytest.mark.parametrize("seed", range(1, 9))
def test_one_abstract_has_all_traits_and_six_miss_one_each(seed: int) -> None:
    counts = sorted(traits_of(paper.abstract) for paper in library(seed).papers)
    assert counts == [0] * 113 + [5] * 6 + [6]
    missed = {
        number
        for paper in library(seed).papers
        if traits_of(paper.abstract) == 5
        for number, trait in enumerate(remembered.TRAITS)
        if any(wording in paper.abstract for wording in trait.other)
    }
    assert missed == set(range(6))


def test_no_wording_stands_within_another() -> None:
    wordings = [one for trait in remembered.TRAITS for one in (*trait.fitting, *trait.other)]
    assert not [(a, b) for a in wordings for b in wordings if a != b and a in b]


def test_a_page_reads_back_as_its_paper_and_has_a_real_size(initial: Path) -> None:
    sizes = []
    for paper in library(1).papers:
        text = (initial / page_path(paper.id)).read_text(encoding="utf-8")
        header = read_page(text)
        assert (header.id, header.submitted) == (paper.id, paper.submitted)
        assert (header.title, header.authors) == (paper.title, paper.authors)
        assert header.abstract == paper.abstract
        sizes.append(len(text.encode()))
    assert len(sizes) == 120
    assert 23_000 < sum(sizes) / 120 < 26_000


def test_bodies_of_other_papers_talk_of_all_the_traits_too() -> None:
    others = [paper for paper in library(1).papers if paper.aside]
    assert len(others) == 18
    assert all(traits_of(paper.aside) == 5 for paper in others)
    assert not any(remembered.fits(paper.abstract) for paper in others)


def test_the_renamed_paper_passes(trees: Trees) -> None:
    trees.move(target(1), OUTPUT)
    assert trees.why_failed(verify.verify) is None


def copied(trees: Trees) -> None:
    trees.put(OUTPUT, (trees.final / target(1)).read_bytes())


def retyped(trees: Trees) -> None:
    trees.put(OUTPUT, (trees.final / target(1)).read_bytes() + b"\n")
    (trees.final / target(1)).unlink()


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda trees: None, "papers/answer.html is missing"),
        (lambda trees: trees.move(near_miss(), OUTPUT), "which is not the one asked for"),
        (lambda trees: trees.move(target(1), "answer.html"), "papers/answer.html is missing"),
        (copied, "is still there"),
        (retyped, "no paper of the folder"),
        (lambda trees: trees.move(target(1), f"{OUTPUT}/page.html"), "is a folder, not a file"),
    ],
    ids=["no answer", "near miss", "wrong place", "copied", "retyped", "a folder"],
)
def test_a_wrong_answer_fails_for_its_own_reason(
    trees: Trees, spoil: Callable[[Trees], None], reason: str
) -> None:
    spoil(trees)
    assert reason in str(trees.why_failed(verify.verify))


def test_a_touched_paper_or_an_extra_file_fails(trees: Trees) -> None:
    trees.move(target(1), OUTPUT)
    trees.put("notes.txt", target(1))
    assert trees.why_failed(verify.verify) == "notes.txt should not be there"
    (trees.final / "notes.txt").unlink()
    trees.put(near_miss(), "lost")
    assert trees.why_failed(verify.verify) == f"{near_miss()} was changed"


def test_the_scripts_run_on_their_own_and_tell_the_verdict(tmp_path: Path) -> None:
    script = Path(build.__file__)
    initial, final = tmp_path / "initial", tmp_path / "final"
    for folder in (initial, final):
        folder.mkdir()
        subprocess.run([sys.executable, script, folder, "7"], check=True)
    judge = [sys.executable, str(script.with_name("verify.py")), str(final), str(initial)]
    failed = subprocess.run(judge, capture_output=True, text=True, check=False)
    assert (failed.returncode, failed.stdout) == (1, f"{OUTPUT} is missing\n")
    (final / target(7)).rename(final / OUTPUT)
    passed = subprocess.run(judge, capture_output=True, text=True, check=False)
    assert (passed.returncode, passed.stdout) == (0, "pass\n")
