"""Success: each script, table and Markdown file lies in its one folder below `projects`, unaltered.

Markdown files are classed by the rules of the instruction, read in the pristine copy. All other
files stay; there is no empty new folder and nothing besides.
"""

import re
from pathlib import PurePosixPath

from panels.suites.support import Failed, Folder, expect_unchanged, verify_main

_OPEN_TASK = re.compile(r"^- \[ \]", re.MULTILINE)
_ENTRY = re.compile(r"^## \d{4}-\d{2}-\d{2}$", re.MULTILINE)


def truth(initial: Folder) -> dict[str, str]:
    """Return where each file that has to be moved belongs, by its old path."""
    moves = {}
    for path in initial.files():
        name = PurePosixPath(path).name
        folder = _folder(name, initial, path)
        if folder:
            moves[path] = f"projects/{folder}/{name}"
    return moves


def _folder(name: str, initial: Folder, path: str) -> str | None:
    if name.endswith(".py"):
        return "scripts"
    if name.endswith(".csv"):
        return "tables"
    if not name.endswith(".md"):
        return None
    text = initial.text(path)
    if _OPEN_TASK.search(text):
        return "notes/plans"
    return "notes/journal" if len(_ENTRY.findall(text)) >= 2 else "notes/reference"


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    moves = truth(initial)
    for old, new in moves.items():
        if new not in final.files():
            raise Failed(f"{new} is missing")
        if final.files()[new] != initial.files()[old]:
            raise Failed(f"{new} was changed")
        if old in final.files():
            raise Failed(f"{old} was not moved")
    kept = set(initial.directories()) - set(final.directories())
    if kept:
        raise Failed(f"the folder {min(kept)} is gone")
    expect_unchanged(final, initial, allow={*moves, *moves.values()})


if __name__ == "__main__":
    verify_main(verify)
