"""Judge files sorted into a folder a day, each with a `span.txt` about its files."""

from datetime import datetime

from panels.suites.support import Failed, Folder, expect_text, expect_unchanged

__all__ = ["Days", "expect_day_folders", "files_by_day"]

Days = dict[str, list[tuple[datetime, str]]]
"""Day folders with their files as (modified, name)."""


def files_by_day(initial: Folder, form: str) -> Days:
    """Return the truth, from the times of the pristine copy.

    `form` is how `strftime` writes the path of a day's folder.
    """
    days: Days = {}
    for name in initial.files():
        moment = initial.modified(name)
        days.setdefault(moment.strftime(form), []).append((moment, name))
    return days


def expect_day_folders(final: Folder, initial: Folder, form: str) -> None:
    """Require every file in the folder of its day, unaltered, the spans, and nothing more."""
    days = files_by_day(initial, form)
    expected = {f"{day}/{name}": name for day, files in days.items() for _, name in files}
    for path, name in expected.items():
        if path not in final.files():
            raise Failed(f"{path} is missing")
        if final.files()[path] != initial.files()[name]:
            raise Failed(f"{path} was changed")
        if name in final.files():
            raise Failed(f"{name} is still in the root folder")
    for day, files in days.items():
        expect_text(final, f"{day}/span.txt", _span(files))
    spans = {f"{day}/span.txt" for day in days}
    expect_unchanged(final, initial, allow={*expected, *expected.values(), *spans})


def _span(files: list[tuple[datetime, str]]) -> str:
    first_moment, first = min(files)
    last_moment = max(moment for moment, _ in files)
    last = min(name for moment, name in files if moment == last_moment)
    return f"first: {first} {first_moment:%H:%M:%S}\nlast: {last} {last_moment:%H:%M:%S}\n"
