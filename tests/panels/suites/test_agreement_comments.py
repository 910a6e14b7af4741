"""The two tasks that count comments: dispute_review and individual_comments."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from panels.suites.filesystem.legal_document.agreement import CLAUSES, Comment, draft_path
from panels.suites.filesystem.legal_document.dispute_review import build as dispute
from panels.suites.filesystem.legal_document.dispute_review import verify as dispute_verdict
from panels.suites.filesystem.legal_document.individual_comments import build as individual
from panels.suites.filesystem.legal_document.individual_comments import verify as persons_verdict
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, copy_of, rng_of

DISPUTE, INDIVIDUAL = "legal_document/dispute_review", "legal_document/individual_comments"
REVIEW, TABLE = "dispute_review.txt", "individual_comments.csv"


def occurrences(comments: list[Comment]) -> list[Comment]:
    return [one for one in comments for version in (5, 6, 7) if one.stands_in(version)]


def review(seed: int) -> str:
    counts = Counter(one.clause for one in occurrences(dispute.comments_of(rng_of(DISPUTE, seed))))
    return "\n".join(f"{clause}:{counts[clause]}" for clause in CLAUSES if clause in counts)


def table(seed: int) -> list[str]:
    shown = occurrences(individual.comments_of(rng_of(INDIVIDUAL, seed)))
    counts = Counter((one.author, one.clause) for one in shown)
    columns = persons_verdict.COUNTED
    return [
        ",".join([name, *(str(counts[name, clause]) for clause in columns)])
        for name in sorted({one.author for one in shown} - {"All parties"})
    ]


def csv(lines: list[str]) -> str:
    return "\n".join([persons_verdict.HEADER, *lines])


@pytest.fixture(scope="module")
def initial_dispute(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(dispute.build, tmp_path_factory.mktemp("initial_dispute"), DISPUTE).initial


@pytest.fixture
def reviewed(initial_dispute: Path, tmp_path: Path) -> Trees:
    trees = copy_of(initial_dispute, tmp_path)
    trees.put(REVIEW, review(1))
    return trees


@pytest.fixture(scope="module")
def initial_individual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(
        individual.build, tmp_path_factory.mktemp("initial_individual"), INDIVIDUAL
    ).initial


@pytest.fixture
def counted(initial_individual: Path, tmp_path: Path) -> Trees:
    (tmp_path / "persons").mkdir()
    trees = copy_of(initial_individual, tmp_path / "persons")
    trees.put(TABLE, csv(table(1)))
    return trees


@pytest.mark.parametrize("seed", [1, 2, 3, 101])
def test_the_counts_from_the_drafts_are_what_was_planted(tmp_path: Path, seed: int) -> None:
    trees = built(dispute.build, tmp_path, DISPUTE, seed)
    assert dispute_verdict.expected(Folder(trees.initial)) == review(seed)
    (tmp_path / "persons").mkdir()
    trees = built(individual.build, tmp_path / "persons", INDIVIDUAL, seed)
    assert persons_verdict.expected(Folder(trees.initial)) == table(seed)


def test_the_drafts_hold_what_misleads_a_count() -> None:
    for seed in (1, 2, 3):
        counts = [int(line.split(":")[1]) for line in review(seed).split("\n")]
        assert 30 < len(counts) < len(CLAUSES)
        assert max(counts) > 3
        rows = table(seed)
        assert len(rows) == 5
        assert sum(row.endswith(",0,0,0,0,0,0") for row in rows) == 1
        comments = individual.comments_of(rng_of(INDIVIDUAL, seed))
        assert any("[Schedule" in one.text for one in comments)
        assert any(one.author == "All parties" for one in comments)


def test_the_right_counts_pass_with_and_without_a_last_line_end(
    reviewed: Trees, counted: Trees
) -> None:
    assert reviewed.why_failed(dispute_verdict.verify) is None
    reviewed.put(REVIEW, review(1) + "\n")
    assert reviewed.why_failed(dispute_verdict.verify) is None
    assert counted.why_failed(persons_verdict.verify) is None
    counted.put(TABLE, csv(table(1)[::-1]) + "\n")
    assert counted.why_failed(persons_verdict.verify) is None


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda trees: (trees.final / REVIEW).unlink(), "is missing"),
        (lambda trees: trees.put(REVIEW, review(1).replace(":", ": ")), "line 1:"),
        (lambda trees: trees.put(REVIEW, review(1).rpartition("\n")[0]), "lines, found"),
        (lambda trees: trees.put(REVIEW, "\n".join(sorted(review(1).split("\n")))), ", line "),
        (lambda trees: trees.move(REVIEW, f"drafts/{REVIEW}"), "is missing"),
        (lambda trees: trees.put("drafts/a.txt", ""), "drafts/a.txt should not be there"),
        (lambda trees: trees.put(draft_path(6), ""), "v6.txt was changed"),
    ],
    ids=["missing", "spaces", "short", "order of text", "wrong place", "extra", "touched"],
)
def test_a_wrong_review_fails_for_its_own_reason(
    reviewed: Trees, spoil: Callable[[Trees], None], reason: str
) -> None:
    spoil(reviewed)
    assert reason in str(reviewed.why_failed(dispute_verdict.verify))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda trees: (trees.final / TABLE).unlink(), "is missing"),
        (lambda trees: trees.put(TABLE, "\n".join(table(1))), "line 1: expected 'name,1.1"),
        (lambda trees: trees.put(TABLE, csv(table(1)[1:])), "the line '"),
        (lambda trees: trees.put(TABLE, csv([*table(1), table(1)[0]])), "found 6"),
        (lambda trees: trees.put(TABLE, csv([*table(1), "All parties,1,1,1,1,1,1"])), "no right"),
        (lambda trees: trees.move(TABLE, f"drafts/{TABLE}"), "is missing"),
        (lambda trees: trees.put("notes.txt", ""), "notes.txt should not be there"),
        (lambda trees: (trees.final / draft_path(5)).unlink(), "v5.txt is gone"),
    ],
    ids=["missing", "no header", "short", "twice", "all", "wrong place", "extra", "lost input"],
)
def test_a_wrong_table_fails_for_its_own_reason(
    counted: Trees, spoil: Callable[[Trees], None], reason: str
) -> None:
    spoil(counted)
    assert reason in str(counted.why_failed(persons_verdict.verify))
