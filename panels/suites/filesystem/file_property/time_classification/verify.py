"""Success: every file lies in `MM/DD` of its modified time in UTC, and nowhere else, unaltered.

Each of these folders also holds `span.txt` with the names and times of its earliest and latest
file, and there is nothing more. The days come from the times of the pristine copy.
"""

from datetime import datetime

from panels.suites.support import Failed, Folder, expect_text, expect_unchanged, verify_main

Days = dict[str, list[tuple[datetime, str]]]


def truth(initial: Folder) -> Days:
    """Return the day folders, `MM/DD`, with their files as (modified, name)."""
    days: Days = {}
    for name in initial.files():
        moment = initial.modified(name)
        days.setdefault(f"{moment:%m/%d}", []).append((moment, name))
    return days


def span(files: list[tuple[datetime, str]]) -> str:
    """Return the text of a day's `span.txt`."""
    first = min(files)
    last_moment = max(moment for moment, _ in files)
    last = min(name for moment, name in files if moment == last_moment)
    return f"first: {first[1]} {first[0]:%H:%M:%S}\nlast: {last} {last_moment:%H:%M:%S}\n"


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    days = truth(initial)
    expected = {f"{day}/{name}": name for day, files in days.items() for _, name in files}
    for path, name in expected.items():
        if path not in final.files():
            raise Failed(f"{path} is missing")
        if final.files()[path] != initial.files()[name]:
            raise Failed(f"{path} was changed")
        if name in final.files():
            raise Failed(f"{name} is still in the root folder")
    for day, files in days.items():
        expect_text(final, f"{day}/span.txt", span(files))
    spans = {f"{day}/span.txt" for day in days}
    expect_unchanged(final, initial, allow={*expected, *expected.values(), *spans})


if __name__ == "__main__":
    verify_main(verify)
