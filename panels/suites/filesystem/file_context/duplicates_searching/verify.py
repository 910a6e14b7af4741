"""Success: of each group of equal files the first path stays, the others lie in `duplicates`.

Groups are found in the pristine copy, byte by byte. All other files stay; there is nothing new.
"""

from pathlib import PurePosixPath

from panels.suites.support import Failed, Folder, expect_unchanged, verify_main


def truth(initial: Folder) -> dict[str, str]:
    """Return the new path of each superfluous file by its old one."""
    kept: dict[bytes, str] = {}
    moves = {}
    for path, content in initial.files().items():
        if kept.setdefault(content, path) != path:
            moves[path] = f"duplicates/{PurePosixPath(path).name}"
    return moves


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
    expect_unchanged(final, initial, allow={*moves, *moves.values()})


if __name__ == "__main__":
    verify_main(verify)
