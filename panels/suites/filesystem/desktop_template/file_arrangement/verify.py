"""Success: every file lies, unaltered, in the one of the five folders that the first rule names.

The rules are applied to the names and texts of the pristine copy. There is nothing else.
"""

import re

from panels.suites.support import Failed, Folder, expect_unchanged, verify_main

_OLD_YEAR = re.compile(r"(?<!\d)20(?:[01]\d|2[0-2])(?!\d)")
_COST_CENTRE = re.compile(r"^Cost centre:", re.MULTILINE)
_HOUSEHOLD = re.compile(r"^Household:", re.MULTILINE)


def truth(initial: Folder) -> dict[str, str]:
    """Return the folder of each file by its name."""
    return {name: _folder(name, initial.text(name)) for name in initial.files()}


def _folder(name: str, text: str) -> str:
    if _OLD_YEAR.search(name):
        return "archive"
    if name.startswith(("tmp", "draft")) or text.split("\n", 1)[0] == "DRAFT":
        return "temporary"
    if name.startswith("office") or _COST_CENTRE.search(text):
        return "work"
    return "home" if _HOUSEHOLD.search(text) else "other"


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    folders = truth(initial)
    paths = {name: f"{folder}/{name}" for name, folder in folders.items()}
    for name, path in paths.items():
        if path not in final.files():
            raise Failed(f"{path} is missing")
        if final.files()[path] != initial.files()[name]:
            raise Failed(f"{path} was changed")
        if name in final.files():
            raise Failed(f"{name} was not moved")
    expect_unchanged(final, initial, allow={*paths, *paths.values()})


if __name__ == "__main__":
    verify_main(verify)
