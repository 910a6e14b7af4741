"""Success: `answer.txt` names, by file name, each short file that shares 30 characters or more with
the large one, with the position of the shared passage, and nothing else has changed.
"""

from panels.suites.support import Folder, expect_text, expect_unchanged, verify_main

OUTPUT, LARGE = "answer.txt", "large_file.txt"
LEAST = 30


def expected(initial: Folder) -> str:
    """Compute the answer from the files."""
    large = initial.text(LARGE)
    places = {large[at : at + LEAST]: at for at in range(len(large) - LEAST + 1)}
    lines = []
    for name in sorted(initial.files().keys() - {LARGE}):
        text = initial.text(name)
        windows = (text[at : at + LEAST] for at in range(len(text) - LEAST + 1))
        # The first window that matches is where the whole passage begins.
        start = next((places[window] for window in windows if window in places), None)
        if start is not None:
            lines.append(f"{name},{start + 1}")
    return "\n".join(lines)


def verify(final: Folder, initial: Folder) -> None:
    """Compare the answer with the truth, and everything else with what was built."""
    expect_text(final, OUTPUT, expected(initial))
    expect_unchanged(final, initial, {OUTPUT})


if __name__ == "__main__":
    verify_main(verify)
