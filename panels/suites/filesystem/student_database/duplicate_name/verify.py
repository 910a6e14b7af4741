"""Success: `namesakes.txt` lists, by id and in the form asked for, exactly the names that two
students bear, and nothing else has changed.
"""

from collections import defaultdict

from panels.suites.support import Folder, expect_text, expect_unchanged, verify_main

OUTPUT = "namesakes.txt"


def expected(initial: Folder) -> str:
    """Compute the list from the folders' names."""
    bearers = defaultdict(list)
    for folder in initial.directories():
        number, _, name = folder.partition("_")
        bearers[name.replace("_", " ")].append(number)
    pairs = sorted((sorted(ids), name) for name, ids in bearers.items() if len(ids) == 2)
    return "\n".join(f"{name}: {', '.join(ids)}" for ids, name in pairs)


def verify(final: Folder, initial: Folder) -> None:
    """Compare the list with the truth, and everything else with what was built."""
    expect_text(final, OUTPUT, expected(initial))
    expect_unchanged(final, initial, {OUTPUT})


if __name__ == "__main__":
    verify_main(verify)
