"""Success: every file lies, unaltered, in the folder of its size in bytes, and there is no more.

The sizes are those of the pristine copy.
"""

from panels.suites.support import Failed, Folder, expect_unchanged, verify_main


def truth(initial: Folder) -> dict[str, str]:
    """Return the folder of each file by its name."""
    return {name: _folder(len(content)) for name, content in initial.files().items()}


def _folder(size: int) -> str:
    if size < 300:
        return "small"
    return "medium" if size <= 700 else "large"


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    paths = {name: f"{folder}/{name}" for name, folder in truth(initial).items()}
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
