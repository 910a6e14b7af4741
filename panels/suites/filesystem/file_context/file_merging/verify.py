"""Success: `merged.txt` holds the ten smallest snippets by bytes, by name, each with its header.

The bytes must be exact but for a line break at the very end. Nothing else is new or changed.
"""

from panels.suites.support import Folder, expect_text, expect_unchanged, verify_main

_RESULT = "merged.txt"
_FOLDER = "snippets/"
_CHOSEN = 10


def truth(initial: Folder) -> list[str]:
    """Return the paths of the ten smallest snippets, in the order of their names."""
    snippets = {path: text for path, text in initial.files().items() if path.startswith(_FOLDER)}
    return sorted(sorted(snippets, key=lambda path: len(snippets[path]))[:_CHOSEN])


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    parts = [
        f"==> {path.removeprefix(_FOLDER)} <==\n{initial.text(path)}" for path in truth(initial)
    ]
    expect_text(final, _RESULT, "".join(parts))
    expect_unchanged(final, initial, allow={_RESULT})


if __name__ == "__main__":
    verify_main(verify)
