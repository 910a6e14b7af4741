"""Authors with many papers, authors who just miss the mark, and names that look alike."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date

from panels.suites.filesystem.papers.corpus import Header, Paper, invent
from panels.suites.filesystem.people import full_names

__all__ = ["FREQUENT", "RECENT", "RECENT_YEAR", "Library", "copies", "library"]

RECENT_YEAR = 2025
FREQUENT, RECENT = "frequent_authors", "authors_2025"
_LEAST_PAPERS, _LEAST_RECENT = 4, 3

# Papers in the recent year and before it, one pair an author.
_CHOSEN = ((1, 3), (0, 4), (2, 3), (0, 5), (3, 0), (3, 0), (3, 0), (3, 1), (4, 0), (3, 2))
_NEAR_MISSES = ((2, 1), (2, 1), (2, 1), (0, 3), (0, 3), (1, 2), (2, 0))
# Two who look alike would be one author of four papers, if taken for the same.
_ALIKE = (("Lindqvist", "Lindquist"), ("Sato", "Soto"))
_ALIKE_COUNTS = ((1, 1), (0, 2), (1, 1), (0, 2))


@dataclass(frozen=True)
class Library:
    """All papers, and the files to be copied: destination to paper id, as planted."""

    papers: list[Paper]
    planted: dict[str, str]


def copies(papers: Iterable[Paper | Header]) -> dict[str, str]:
    """Tell from papers which copies must be made: destination below the root to paper id."""
    written: dict[str, list[tuple[str, date]]] = {}
    for paper in papers:
        for author in paper.authors:
            written.setdefault(author, []).append((paper.id, paper.submitted))
    wanted: dict[str, str] = {}
    for author, works in written.items():
        recent = [work for work in works if work[1].year == RECENT_YEAR]
        if len(works) >= _LEAST_PAPERS:
            wanted |= {destination(FREQUENT, author, work): work for work, _ in works}
        if len(recent) >= _LEAST_RECENT:
            wanted |= {destination(RECENT, author, work): work for work, _ in recent}
    return wanted


def destination(group: str, author: str, paper_id: str) -> str:
    """Return where a copy belongs."""
    return f"{group}/{author.replace(' ', '_')}/{paper_id}.html"


def library(rng: random.Random) -> Library:
    """Invent 120 papers; ten authors are to be found, eleven more come close."""
    papers = invent(rng)
    taken = {author for paper in papers for author in paper.authors}
    first = [name.split(" ")[0] for name in full_names(rng, len(_ALIKE))]
    alike = [f"{given} {name}" for given, pair in zip(first, _ALIKE, strict=True) for name in pair]
    others = full_names(rng, len(_CHOSEN) + len(_NEAR_MISSES), taken.union(alike))
    planted: dict[str, str] = {}
    counts = [*_CHOSEN, *_NEAR_MISSES, *_ALIKE_COUNTS]
    for author, (recent, earlier) in zip([*others, *alike], counts, strict=True):
        in_year = _sign(rng, papers, author, recent, lambda year: year == RECENT_YEAR)
        before = _sign(rng, papers, author, earlier, lambda year: year < RECENT_YEAR)
        if (recent, earlier) in _CHOSEN and recent + earlier >= _LEAST_PAPERS:
            planted |= {destination(FREQUENT, author, work): work for work in in_year + before}
        if (recent, earlier) in _CHOSEN and recent >= _LEAST_RECENT:
            planted |= {destination(RECENT, author, work): work for work in in_year}
    return Library(papers, planted)


def _sign(
    rng: random.Random,
    papers: list[Paper],
    author: str,
    count: int,
    when: Callable[[int], bool],
) -> list[str]:
    """Make somebody an author of some papers of certain years; return the papers' ids."""
    places = rng.sample([n for n, one in enumerate(papers) if when(one.submitted.year)], count)
    for place in places:
        authors = list(papers[place].authors)
        authors.insert(rng.randint(0, len(authors)), author)
        papers[place] = replace(papers[place], authors=tuple(authors))
    return [papers[place].id for place in places]
