"""Success: the papers from before 2023 lie in the folders of their years, unchanged, each year has
its exact index, the summary is exact, and nothing else has changed.
"""

from collections import defaultdict
from collections.abc import Iterable

from panels.suites.filesystem.papers.corpus import Header, page_path, read_page
from panels.suites.support import Failed, Folder, expect_text, expect_unchanged, verify_main

FIRST_NEW_YEAR = 2023
_LINE = "|---|---|---|"


def legacy(initial: Folder) -> dict[int, list[Header]]:
    """Find the old papers by year, each year's in the order of their ids, from the pages."""
    years = defaultdict(list)
    for page in initial.files().values():
        paper = read_page(page.decode())
        year = 2000 + int(paper.id[:2])
        if year < FIRST_NEW_YEAR:
            years[year].append(paper)
    return {year: sorted(years[year], key=lambda paper: paper.id) for year in sorted(years)}


def index(papers: Iterable[Header]) -> str:
    """Return a year's table."""
    lines = ["| id | authors | title |", _LINE]
    for paper in papers:
        authors = ", ".join(paper.authors[:3]) + (" et al." if len(paper.authors) > 3 else "")
        lines.append(f"| {paper.id} | {authors} | {paper.title} |")
    return "\n".join(lines)


def summary(years: dict[int, list[Header]]) -> str:
    """Return the table of all years."""
    lines = ["| year | papers | authors |", _LINE]
    everything = [paper for papers in years.values() for paper in papers]
    for name, papers in [*years.items(), ("total", everything)]:
        people = {author for paper in papers for author in paper.authors}
        lines.append(f"| {name} | {len(papers)} | {len(people)} |")
    return "\n".join(lines)


def verify(final: Folder, initial: Folder) -> None:
    """Compare moved papers and tables with the truth, everything else with what was built."""
    years = legacy(initial)
    touched = {"legacy/SUMMARY.md"}
    for year, papers in years.items():
        for paper in papers:
            old, new = page_path(paper.id), f"legacy/{year}/{paper.id}.html"
            if final.text(new) != initial.text(old):
                raise Failed(f"{new} was changed")
            if old in final.files():
                raise Failed(f"{old} is still there: it should have been moved")
            touched |= {old, new}
        expect_text(final, f"legacy/{year}/INDEX.md", index(papers))
        touched.add(f"legacy/{year}/INDEX.md")
    expect_text(final, "legacy/SUMMARY.md", summary(years))
    expect_unchanged(final, initial, touched)


if __name__ == "__main__":
    verify_main(verify)
