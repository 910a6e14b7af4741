"""Success: `structure_analysis.txt` states the right counts, bytes, depth and extensions line by
line, and nothing else has changed.
"""

from collections import Counter

from panels.suites.support import Folder, expect_text, expect_unchanged, verify_main

OUTPUT = "structure_analysis.txt"
_ROOT = "archive/"


def extension(path: str) -> str:
    """Return `.ext` in lower case, or `none`."""
    stem, _, last = path.rpartition("/")[2].rpartition(".")
    return f".{last.lower()}" if stem else "none"


def expected(initial: Folder) -> str:
    """Compute the description from what was built."""
    files = {path: size for path, size in _sizes(initial).items() if path.startswith(_ROOT)}
    folders = [folder for folder in initial.directories() if folder.startswith(_ROOT)]
    levels = max(folder.count("/") for folder in folders)
    (deepest,) = (folder for folder in folders if folder.count("/") == levels)
    counts = Counter(map(extension, files))
    without = counts.pop("none", 0)
    lines = [
        f"files: {len(files)}",
        f"folders: {len(folders)}",
        f"bytes: {sum(files.values())}",
        f"levels: {levels}",
        f"deepest: /workspace/{deepest}",
        *(f"{kind}: {count}" for kind, count in sorted(counts.items())),
        f"none: {without}",
    ]
    return "\n".join(lines)


def _sizes(folder: Folder) -> dict[str, int]:
    return {path: len(content) for path, content in folder.files().items()}


def verify(final: Folder, initial: Folder) -> None:
    """Compare the description with the truth, and everything else with what was built."""
    expect_text(final, OUTPUT, expected(initial))
    expect_unchanged(final, initial, {OUTPUT})


if __name__ == "__main__":
    verify_main(verify)
