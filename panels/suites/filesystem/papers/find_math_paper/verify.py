"""Success: the paper whose abstract has all the traits is now `papers/answer.html`, unchanged byte
for byte, its old name is gone, and nothing else has changed.
"""

import hashlib

from panels.suites.filesystem.papers.corpus import FOLDER, page_path, read_page
from panels.suites.filesystem.papers.find_math_paper.remembered import fits
from panels.suites.support import Failed, Folder, expect_unchanged, verify_main

OUTPUT = f"{FOLDER}/answer.html"


def remembered(initial: Folder) -> str:
    """Find the path of the one fitting paper from the abstracts."""
    headers = [read_page(page.decode()) for page in initial.files().values()]
    (paper_id,) = (header.id for header in headers if fits(header.abstract))
    return page_path(paper_id)


def verify(final: Folder, initial: Folder) -> None:
    """Compare the renamed file with the remembered one, and everything else with what was built."""
    wanted = remembered(initial)
    found = final.text(OUTPUT).encode()
    if hashlib.sha256(found).digest() != hashlib.sha256(initial.files()[wanted]).digest():
        names = [path for path, content in initial.files().items() if content == found]
        what = f"the paper {names[0]}" if names else "no paper of the folder"
        raise Failed(f"{OUTPUT} holds {what}, which is not the one asked for")
    if wanted in final.files():
        raise Failed(f"{wanted} is still there: it should have been renamed")
    expect_unchanged(final, initial, {OUTPUT, wanted})


if __name__ == "__main__":
    verify_main(verify)
