"""A folder of papers as web pages: the model, the pages of about 24 KB each, and back."""

import html
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from panels.suites.filesystem.papers.prose import FIELDS, Field, abstract, paragraph, title
from panels.suites.filesystem.people import full_names
from panels.suites.support import Builder

__all__ = ["FOLDER", "Header", "Paper", "invent", "page_path", "read_page", "write_pages"]

FOLDER = "papers"
RECENT = (date(2023, 1, 9), date(2025, 12, 12))
OLD = (date(2019, 2, 4), date(2022, 12, 19))

_SECTIONS = (
    "Introduction",
    "Related work",
    "Setting",
    "Method",
    "Results",
    "Discussion",
    "Outlook",
)
_STYLE = "body{max-width:46em;margin:auto;font:16px serif} .authors{font-style:italic}"


@dataclass(frozen=True)
class Paper:
    """A paper; `id` is year and month of submission, a dot and a number, as in `2403.01234`.

    `aside` is a sentence of its related work that the task's author cares about, or empty.
    """

    id: str
    submitted: date
    field: Field
    title: str
    authors: tuple[str, ...]
    abstract: str
    aside: str = ""


@dataclass(frozen=True)
class Header:
    """What a page says about its paper, in plain text."""

    id: str
    submitted: date
    title: str
    authors: tuple[str, ...]
    abstract: str


def page_path(paper_id: str) -> str:
    """Return where a paper's page lies."""
    return f"{FOLDER}/{paper_id}.html"


def invent(rng: random.Random, recent: int = 88, old: int = 32) -> list[Paper]:
    """Invent papers of 1 to 12 authors, submitted since 2023 or before; ordered by id."""
    spans = [RECENT] * recent + [OLD] * old
    days = [first + timedelta(days=rng.randrange((last - first).days)) for first, last in spans]
    numbers = rng.sample(range(101, 19999), len(days))
    papers = []
    for day, number in zip(days, numbers, strict=True):
        field = rng.choice(FIELDS)
        authors = tuple(full_names(rng, min(rng.randint(1, 12), rng.randint(1, 12))))
        subject = replace(field, objects=(rng.choice(field.objects),))
        heading, text = title(rng, subject), abstract(rng, subject)
        papers.append(Paper(f"{day:%y%m}.{number:05}", day, field, heading, authors, text))
    return sorted(papers, key=lambda paper: paper.id)


def write_pages(builder: Builder, papers: Iterable[Paper]) -> None:
    """Write the pages; they were saved years after submission, in no order."""
    for paper in papers:
        saved = datetime.combine(date(2025, 12, 13), time(8), UTC)
        saved += timedelta(minutes=builder.rng.randrange(20000))
        builder.write(page_path(paper.id), _page(builder.rng, paper), saved)


def read_page(text: str) -> Header:
    """Read a page's header; ValueError where it is no page of ours."""

    def meta(name: str) -> list[str]:
        found = re.findall(rf'<meta name="citation_{name}" content="([^"]*)">', text)
        return [html.unescape(value) for value in found]

    (paper_id,), (day,), (heading,) = meta("id"), meta("date"), meta("title")
    summary = re.search(r'<section class="abstract">\s*<h2>Abstract</h2>\s*<p>(.*?)</p>', text)
    if summary is None:
        raise ValueError(f"{paper_id} has no abstract")
    authors = tuple(" ".join(reversed(name.split(", "))) for name in meta("author"))
    submitted = date(*map(int, day.split("/")))
    return Header(paper_id, submitted, heading, authors, html.unescape(summary[1]))


def _page(rng: random.Random, paper: Paper) -> str:
    names = [", ".join(reversed(name.split(" ", 1))) for name in paper.authors]
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f"<title>[{paper.id}] {html.escape(paper.title)}</title>",
        f'<meta name="citation_title" content="{html.escape(paper.title)}">',
        *(f'<meta name="citation_author" content="{html.escape(name)}">' for name in names),
        f'<meta name="citation_date" content="{paper.submitted:%Y/%m/%d}">',
        f'<meta name="citation_id" content="{paper.id}">',
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        "<article>",
        f'<h1 class="title">{html.escape(paper.title)}</h1>',
        f'<div class="authors">{", ".join(map(html.escape, paper.authors))}</div>',
        '<section class="abstract">',
        "<h2>Abstract</h2>",
        f"<p>{html.escape(paper.abstract)}</p>",
        "</section>",
    ]
    for number, heading in enumerate(_SECTIONS, start=1):
        lines += ["<section>", f"<h2>{number} {heading}</h2>"]
        lines += [f"<p>{paragraph(rng, paper.field)}</p>" for _ in range(rng.randint(4, 6))]
        if heading == "Related work" and paper.aside:
            lines.append(f"<p>{html.escape(paper.aside)}</p>")
        lines.append("</section>")
    lines += ['<section class="references">', "<h2>References</h2>", "<ol>"]
    for _ in range(24):
        cited = ", ".join(full_names(rng, rng.randint(1, 3)))
        work = title(rng, paper.field)
        lines.append(f"<li>{cited}. {html.escape(work)}. {rng.randint(2004, 2022)}.</li>")
    return "\n".join([*lines, "</ol>", "</section>", "</article>", "</body>", "</html>"]) + "\n"
