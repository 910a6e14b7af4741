"""Success: for each author with four papers, and each with three of 2025, there are faithful copies
of just these papers in the author's folder; the originals are unchanged and nothing else is there.
"""

from panels.suites.filesystem.papers.author_folders.authorship import copies
from panels.suites.filesystem.papers.corpus import page_path, read_page
from panels.suites.support import Failed, Folder, expect_unchanged, verify_main


def expected(initial: Folder) -> dict[str, str]:
    """Compute the copies, destination to paper id, from the pages' heads."""
    return copies(read_page(page.decode()) for page in initial.files().values())


def verify(final: Folder, initial: Folder) -> None:
    """Compare each copy with its original, and everything else with what was built."""
    wanted = expected(initial)
    for path, paper_id in sorted(wanted.items()):
        original = initial.text(page_path(paper_id))
        if final.text(path).rstrip("\n") != original.rstrip("\n"):
            raise Failed(f"{path} differs from {page_path(paper_id)}")
    expect_unchanged(final, initial, wanted.keys())


if __name__ == "__main__":
    verify_main(verify)
