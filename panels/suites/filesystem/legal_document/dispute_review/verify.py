"""Success: `dispute_review.txt` gives, in the agreement's order, each clause that has a comment in
version 5, 6 or 7 with the number of its comments in these drafts; nothing else has changed.
"""

from panels.suites.filesystem.legal_document.agreement import CLAUSES, draft_path, read_draft
from panels.suites.support import Folder, expect_text, expect_unchanged, verify_main

OUTPUT = "dispute_review.txt"
REVIEWED = (5, 6, 7)


def expected(initial: Folder) -> str:
    """Compute the counts from the drafts."""
    drafts = [read_draft(initial.text(draft_path(version))) for version in REVIEWED]
    counts = {clause: sum(len(draft[clause][1]) for draft in drafts) for clause in CLAUSES}
    return "\n".join(f"{clause}:{count}" for clause, count in counts.items() if count)


def verify(final: Folder, initial: Folder) -> None:
    """Compare the counts with the truth, and everything else with what was built."""
    expect_text(final, OUTPUT, expected(initial))
    expect_unchanged(final, initial, {OUTPUT})


if __name__ == "__main__":
    verify_main(verify)
