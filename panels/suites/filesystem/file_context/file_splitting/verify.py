"""Success: `parts/part_01.txt` to `part_10.txt` are exactly the ten tenths of `chronicle.txt`.

Lengths count in code points; a newline more at the end of a part is a failure. Nothing else is new
or changed.
"""

from panels.suites.support import Failed, Folder, expect_unchanged, verify_main

_PARTS = 10


def truth(initial: Folder) -> dict[str, str]:
    """Return the parts by their paths."""
    text = initial.text("chronicle.txt")
    size = len(text) // _PARTS
    return {
        f"parts/part_{number + 1:02}.txt": text[size * number : size * (number + 1)]
        for number in range(_PARTS)
    }


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    parts = truth(initial)
    for path, expected in parts.items():
        found = final.text(path)
        if len(found) != len(expected):
            raise Failed(f"{path} has {len(found)} characters, not {len(expected)}")
        if found != expected:
            raise Failed(f"{path} holds another text than its tenth of chronicle.txt")
    expect_unchanged(final, initial, allow=parts)


if __name__ == "__main__":
    verify_main(verify)
