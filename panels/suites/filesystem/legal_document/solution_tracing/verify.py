"""Success: `solution_tracing.csv` names, for each of the four clauses, the first version in which a
comment in that clause proposes the idea that the final draft contains, and that comment's author;
nothing else has changed.
"""

from panels.suites.filesystem.legal_document.agreement import (
    ALL_PARTIES,
    VERSIONS,
    draft_path,
    read_draft,
)
from panels.suites.filesystem.legal_document.ideas import TOPICS
from panels.suites.filesystem.legal_document.solution_tracing.negotiation import TRACED
from panels.suites.support import Folder, expect_text, expect_unchanged, verify_main

OUTPUT = "solution_tracing.csv"


def expected(initial: Folder) -> str:
    """Compute the table from the drafts."""
    drafts = [read_draft(initial.text(draft_path(version))) for version in range(VERSIONS)]
    keys = [idea.key for topic in TOPICS for idea in topic.ideas]
    lines = ["clause,version,name"]
    for clause in TRACED:
        (key,) = (key for key in keys if key in drafts[-1][clause][0])
        version, author = next(
            (version, remark.author)
            for version, draft in enumerate(drafts)
            for remark in draft[clause][1]
            if remark.author != ALL_PARTIES and key in remark.text
        )
        lines.append(f"{clause},{version},{author}")
    return "\n".join(lines)


def verify(final: Folder, initial: Folder) -> None:
    """Compare the table with the truth, and everything else with what was built."""
    expect_text(final, OUTPUT, expected(initial))
    expect_unchanged(final, initial, {OUTPUT})


if __name__ == "__main__":
    verify_main(verify)
