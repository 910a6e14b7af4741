"""Success: `uppercase` holds the first ten texts in capitals, and their word counts.

Copies must be exact but for a line break at the very end. Nothing else is new or changed.
"""

from panels.suites.support import Folder, expect_text, expect_unchanged, verify_main

_NAMES = tuple(f"text_{number:02}.txt" for number in range(1, 11))
_COUNTS = "uppercase/word_counts.txt"


def words(text: str) -> int:
    """Count the stretches without white space that hold a letter or a digit."""
    return sum(any(map(str.isalnum, stretch)) for stretch in text.split())


def truth(initial: Folder) -> dict[str, str]:
    """Return the files to be written by their paths."""
    texts = {name: initial.text(f"texts/{name}") for name in _NAMES}
    copies = {f"uppercase/{name}": text.upper() for name, text in texts.items()}
    return copies | {_COUNTS: "\n".join(f"{name}:{words(texts[name])}" for name in _NAMES)}


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    expected = truth(initial)
    for path, text in expected.items():
        expect_text(final, path, text)
    expect_unchanged(final, initial, allow=expected)


if __name__ == "__main__":
    verify_main(verify)
