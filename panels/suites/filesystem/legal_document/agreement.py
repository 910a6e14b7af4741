"""Eleven drafts of one agreement with comments in brackets: the model, its text, and back."""

import random
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from panels.suites.filesystem.legal_document.wording import (
    ARTICLES,
    HEADINGS,
    clause_text,
    ordinary_comment,
    sentence,
)
from panels.suites.support import Builder

__all__ = [
    "ALL_PARTIES",
    "CLAUSES",
    "VERSIONS",
    "Comment",
    "Remark",
    "Settlement",
    "draft_path",
    "ordinary_comments",
    "read_draft",
    "texts",
    "write_drafts",
]

VERSIONS = 11
CLAUSES = tuple(f"{article}.{number}" for article in range(1, 10) for number in range(1, 15))
"""The 126 clause numbers in the order of the text."""
ALL_PARTIES = "All parties"

_CLAUSE = re.compile(r"^(\d+\.\d+)  (.+?)\. (.*?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(
    r"\[(All parties|[^\W\d_][\w'-]* [^\W\d_][\w'-]*): ((?:[^\[\]]|\[[^\]]*\])*)\]"
)
_PLACEHOLDERS = ("[Date: to be inserted]", "[Amount: see Schedule 4]", "[Clause 4.12: reserved]")


@dataclass(frozen=True)
class Comment:
    """A comment under a clause that stands in the drafts `first` to `last`, both included."""

    clause: str
    author: str
    text: str
    first: int
    last: int

    def stands_in(self, version: int) -> bool:
        """Tell whether a draft shows the comment."""
        return self.first <= version <= self.last


@dataclass(frozen=True)
class Settlement:
    """How an argument ended: from the draft `first` on, `opening` is the clause's first sentence.

    The clause bears `heading` from the start.
    """

    heading: str
    first: int
    opening: str


@dataclass(frozen=True)
class Remark:
    """A comment as read from one draft."""

    author: str
    text: str


def draft_path(version: int) -> str:
    """Return where a draft lies."""
    return f"drafts/Supply_Agreement_v{version}.txt"


def texts(rng: random.Random, settled: Mapping[str, Settlement]) -> list[dict[str, str]]:
    """Make the clauses' texts (heading and sentences) of each version; a few change each time."""
    headings = dict(zip(CLAUSES, rng.sample(HEADINGS, len(CLAUSES)), strict=True))
    headings |= {clause: settlement.heading for clause, settlement in settled.items()}
    current = {clause: f"{headings[clause]}. {clause_text(rng)}" for clause in CLAUSES}
    versions = []
    for version in range(VERSIONS):
        for clause in rng.sample(CLAUSES, 9 if version else 0):
            kept = current[clause].rpartition(". ")[0]
            current[clause] = f"{kept}. {sentence(rng)}"
        for clause, settlement in settled.items():
            if version == settlement.first:
                heading, _, rest = current[clause].partition(". ")
                current[clause] = f"{heading}. {settlement.opening} {rest}"
        versions.append(dict(current))
    return versions


def ordinary_comments(
    rng: random.Random,
    people: Iterable[str],
    count: int,
    among: Collection[str] = CLAUSES,
    avoid: Collection[str] = (),
) -> list[Comment]:
    """Scatter comments that settle nothing; a draft shows about a quarter of them at a time."""
    authors = [*people, ALL_PARTIES]
    clauses = [clause for clause in CLAUSES if clause in among and clause not in avoid]
    comments = []
    for _ in range(count):
        first = rng.randint(1, VERSIONS - 2)
        last = min(first + rng.randint(0, 3), VERSIONS - 2)
        author, clause = rng.choice(authors), rng.choice(clauses)
        comments.append(Comment(clause, author, ordinary_comment(rng), first, last))
    return comments


def write_drafts(
    builder: Builder, versions: list[dict[str, str]], comments: Iterable[Comment]
) -> None:
    """Write the drafts, about 85 KB each; within a clause comments keep the order given."""
    moment = datetime(2025, 2, 3, 9, tzinfo=UTC)
    placed = [(comment, " " if builder.rng.random() < 0.3 else "\n") for comment in comments]
    for version, clauses in enumerate(versions):
        moment += timedelta(days=builder.rng.randint(9, 25), minutes=builder.rng.randrange(400))
        lines = [f"SUPPLY AGREEMENT (draft {version}, {moment:%Y-%m-%d})", ""]
        shown = [(comment, gap) for comment, gap in placed if comment.stands_in(version)]
        for clause in CLAUSES:
            article, number = clause.split(".")
            if number == "1":
                lines += [f"ARTICLE {article}  {ARTICLES[int(article) - 1].upper()}", ""]
            line = f"{clause}  {clauses[clause]}"
            if builder.rng.random() < 0.06:
                line += f" {builder.rng.choice(_PLACEHOLDERS)}"
            for comment, gap in shown:
                if comment.clause == clause:
                    line += f"{gap}[{comment.author}: {comment.text}]"
            lines += [line, ""]
        lines += ["Signed for the Parties: [Date: to be inserted]"]
        builder.write(draft_path(version), "\n".join(lines) + "\n", moment)


def read_draft(text: str) -> dict[str, tuple[str, list[Remark]]]:
    """Read each clause of a draft: its own text without comments, and its comments in order."""
    clauses = {}
    for number, heading, body in _CLAUSE.findall(text):
        remarks = [Remark(author, said) for author, said in _COMMENT.findall(body)]
        clauses[number] = (f"{heading}. {_COMMENT.sub('', body).strip()}", remarks)
    return clauses
