"""Two tasks that arrange papers: author_folders and organize_legacy_papers."""

from collections.abc import Callable
from pathlib import Path

import pytest

from panels.suites.filesystem.papers.author_folders import authorship
from panels.suites.filesystem.papers.author_folders import build as authors
from panels.suites.filesystem.papers.author_folders import verify as authors_verdict
from panels.suites.filesystem.papers.corpus import Paper, invent, page_path
from panels.suites.filesystem.papers.organize_legacy_papers import build as legacy
from panels.suites.filesystem.papers.organize_legacy_papers import verify as legacy_verdict
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, copy_of, rng_of

AUTHORS, LEGACY = "papers/author_folders", "papers/organize_legacy_papers"
COPY = "frequent_authors/Nobody_Known/2001.00001.html"


def planted(seed: int = 1) -> dict[str, str]:
    return authorship.library(rng_of(AUTHORS, seed)).planted


def old_papers(seed: int = 1) -> dict[str, list[Paper]]:
    years: dict[str, list[Paper]] = {}
    for paper in invent(rng_of(LEGACY, seed)):
        if paper.id < "23":
            years.setdefault(f"20{paper.id[:2]}", []).append(paper)
    return years


def first_copy() -> tuple[str, str]:
    return min(planted().items())


def first_old() -> str:
    return f"legacy/2019/{old_papers()['2019'][0].id}.html"


@pytest.fixture(scope="module")
def initial_authors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(authors.build, tmp_path_factory.mktemp("initial_authors"), AUTHORS).initial


@pytest.fixture
def copied(initial_authors: Path, tmp_path: Path) -> Trees:
    trees = copy_of(initial_authors, tmp_path)
    for path, paper_id in planted().items():
        trees.put(path, (trees.initial / page_path(paper_id)).read_bytes())
    return trees


@pytest.fixture(scope="module")
def initial_legacy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(legacy.build, tmp_path_factory.mktemp("initial_legacy"), LEGACY).initial


@pytest.fixture
def organized(initial_legacy: Path, tmp_path: Path) -> Trees:
    trees = copy_of(initial_legacy, tmp_path)
    rows, everybody = [], set()
    for year, papers in old_papers().items():
        lines = []
        for paper in papers:
            trees.move(page_path(paper.id), f"legacy/{year}/{paper.id}.html")
            names = ", ".join(paper.authors)
            if len(paper.authors) > 3:
                names = "{}, {}, {} et al.".format(*paper.authors)
            lines.append(f"| {paper.id} | {names} | {paper.title} |\n")
        trees.put(
            f"legacy/{year}/INDEX.md", "| id | authors | title |\n|---|---|---|\n" + "".join(lines)
        )
        people = {name for paper in papers for name in paper.authors}
        everybody |= people
        rows.append(f"| {year} | {len(papers)} | {len(people)} |\n")
    rows.append(f"| total | 32 | {len(everybody)} |\n")
    trees.put("legacy/SUMMARY.md", "| year | papers | authors |\n|---|---|---|\n" + "".join(rows))
    return trees


@pytest.mark.parametrize("seed", [1, 2, 101])
def test_the_copies_that_the_pages_ask_for_are_what_was_planted(tmp_path: Path, seed: int) -> None:
    trees = built(authors.build, tmp_path, AUTHORS, seed)
    assert authors_verdict.expected(Folder(trees.initial)) == planted(seed)


@pytest.mark.parametrize("seed", range(1, 13))
def test_the_copies_fit_into_the_budget_and_both_groups_overlap(seed: int) -> None:
    copies = planted(seed)
    assert authorship.copies(authorship.library(rng_of(AUTHORS, seed)).papers) == copies
    folders = {path.rpartition("/")[0] for path in copies}
    assert len(copies) == 50
    assert len(copies) + len(folders) <= 90
    names = [folder.split("/")[1] for folder in folders]
    assert sorted(names.count(name) for name in set(names)) == [1] * 7 + [2] * 3


@pytest.mark.parametrize("seed", [1, 2, 101])
def test_old_papers_are_32_and_some_have_more_than_three_authors(tmp_path: Path, seed: int) -> None:
    trees = built(legacy.build, tmp_path, LEGACY, seed)
    found = legacy_verdict.legacy(Folder(trees.initial))
    assert {str(year): [one.id for one in papers] for year, papers in found.items()} == {
        year: [one.id for one in papers] for year, papers in old_papers(seed).items()
    }
    counts = {len(one.authors) for papers in found.values() for one in papers}
    assert sum(map(len, found.values())) == 32
    assert min(counts) <= 3 < max(counts) <= 12
    assert sorted(found) == [2019, 2020, 2021, 2022]


def test_faithful_copies_pass_and_a_last_line_end_does_not_matter(copied: Trees) -> None:
    assert copied.why_failed(authors_verdict.verify) is None
    path, _ = first_copy()
    copied.put(path, (copied.final / path).read_bytes().rstrip(b"\n"))
    assert copied.why_failed(authors_verdict.verify) is None


def test_organized_papers_pass(organized: Trees) -> None:
    assert organized.why_failed(legacy_verdict.verify) is None


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda trees: (trees.final / first_copy()[0]).unlink(), "is missing"),
        (lambda trees: trees.put(first_copy()[0], "lost"), "differs from"),
        (lambda trees: trees.put(COPY, "kept"), "should not be there"),
        (lambda trees: (trees.final / "authors_2025/Nobody").mkdir(), "the empty folder"),
        (lambda trees: trees.put(page_path(first_copy()[1]), "lost"), "was changed"),
        (lambda trees: (trees.final / page_path(first_copy()[1])).unlink(), "is gone"),
        (lambda trees: trees.move("frequent_authors", "frequent"), "is missing"),
    ],
    ids=["missing", "changed copy", "extra", "empty", "touched", "moved", "wrong place"],
)
def test_wrong_copies_fail_for_their_own_reason(
    copied: Trees, spoil: Callable[[Trees], None], reason: str
) -> None:
    spoil(copied)
    assert reason in str(copied.why_failed(authors_verdict.verify))


def swap(trees: Trees, path: str, old: str, new: str) -> None:
    text = (trees.final / path).read_text(encoding="utf-8")
    trees.put(path, text.replace(old, new))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda trees: (trees.final / "legacy/SUMMARY.md").unlink(), "SUMMARY.md is missing"),
        (lambda trees: (trees.final / "legacy/2020/INDEX.md").unlink(), "INDEX.md is missing"),
        (lambda trees: swap(trees, "legacy/2021/INDEX.md", " et al.", ", et al."), "line "),
        (lambda trees: swap(trees, "legacy/SUMMARY.md", "total", "all"), "line 7:"),
        (lambda trees: trees.move(first_old(), f"papers/{first_old()[12:]}"), "is missing"),
        (lambda trees: trees.put(f"papers/{first_old()[12:]}", "kept"), "is still there"),
        (lambda trees: trees.put(first_old(), "kept"), "was changed"),
        (lambda trees: trees.put("legacy/2023/INDEX.md", ""), "should not be there"),
    ],
    ids=["summary", "index", "comma", "total", "not moved", "copied", "touched", "extra"],
)
def test_wrongly_organized_papers_fail_for_their_own_reason(
    organized: Trees, spoil: Callable[[Trees], None], reason: str
) -> None:
    spoil(organized)
    assert reason in str(organized.why_failed(legacy_verdict.verify))
