"""Success: `individual_comments.csv` has the header and, in any order, one line for each person who
comments in version 5, 6 or 7 with the right count for each of the six clauses; nothing else has
changed.
"""

from panels.suites.filesystem.legal_document.agreement import (
    ALL_PARTIES,
    Remark,
    draft_path,
    read_draft,
)
from panels.suites.support import Failed, Folder, expect_unchanged, verify_main

OUTPUT = "individual_comments.csv"
REVIEWED = (5, 6, 7)
COUNTED = ("1.1", "1.11", "4.1", "4.12", "6.3", "8.11")
HEADER = ",".join(["name", *COUNTED])


def expected(initial: Folder) -> list[str]:
    """Compute the lines below the header from the drafts, ordered by code point."""
    drafts = [read_draft(initial.text(draft_path(version))) for version in REVIEWED]
    said: dict[str, list[Remark]] = {clause: [] for draft in drafts for clause in draft}
    for draft in drafts:
        for clause, (_, remarks) in draft.items():
            said[clause] += remarks
    people = {remark.author for remarks in said.values() for remark in remarks} - {ALL_PARTIES}
    lines = []
    for name in people:
        counts = [sum(remark.author == name for remark in said[clause]) for clause in COUNTED]
        lines.append(",".join([name, *map(str, counts)]))
    return sorted(lines)


def verify(final: Folder, initial: Folder) -> None:
    """Compare the table with the truth, and everything else with what was built."""
    header, *lines = final.text(OUTPUT).removesuffix("\n").split("\n")
    truth = expected(initial)
    if header != HEADER:
        raise Failed(f"{OUTPUT}, line 1: expected {HEADER!r}, found {header[:120]!r}")
    wrong = sorted(set(lines) - set(truth))
    missing = sorted(set(truth) - set(lines))
    if wrong:
        raise Failed(f"{OUTPUT}: {wrong[0][:120]!r} is no right line")
    if missing:
        raise Failed(f"{OUTPUT}: the line {missing[0]!r} is missing")
    # In order, only a repeated line can still differ.
    if sorted(lines) != truth:
        raise Failed(f"{OUTPUT}: expected {len(truth)} lines below the header, found {len(lines)}")
    expect_unchanged(final, initial, {OUTPUT})


if __name__ == "__main__":
    verify_main(verify)
