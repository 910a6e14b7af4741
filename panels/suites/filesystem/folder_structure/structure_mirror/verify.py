"""Success: the mirror holds exactly the leaves with three files or more, each with its placeholder
that names the original, and nothing else has changed.
"""

from collections import Counter

from panels.suites.support import Folder, expect_text, expect_unchanged, verify_main

_SOURCE, _MIRROR = "structure", "mirror"
_LEAST_FILES = 3


def expected(initial: Folder) -> dict[str, str]:
    """Compute the placeholders, path to text, from what was built."""
    files = Counter(path.rpartition("/")[0] for path in initial.files())
    parents = {folder.rpartition("/")[0] for folder in initial.directories()}
    kept = [
        folder
        for folder in initial.directories()
        if folder.startswith(f"{_SOURCE}/")
        and folder not in parents
        and files[folder] >= _LEAST_FILES
    ]
    return {
        f"{_MIRROR}{folder.removeprefix(_SOURCE)}/placeholder.txt": f"/workspace/{folder}"
        for folder in kept
    }


def verify(final: Folder, initial: Folder) -> None:
    """Compare each placeholder with the truth, and everything else with what was built."""
    wanted = expected(initial)
    for path, text in wanted.items():
        expect_text(final, path, text)
    expect_unchanged(final, initial, wanted.keys())


if __name__ == "__main__":
    verify_main(verify)
