"""Success: `timeline.txt` has one line for each date of 2025 in each file, by date, then path.

The dates are found anew in the pristine copy, by the styles that the instruction lists. Nothing
else is new or changed.
"""

import re
from collections.abc import Iterator
from datetime import date

from panels.suites.support import Folder, expect_text, expect_unchanged, verify_main

_RESULT = "timeline.txt"
_YEAR = 2025
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_NUMBERS = {name: number for number, name in enumerate(_MONTHS, start=1)} | {
    name[:3]: number for number, name in enumerate(_MONTHS, start=1)
}
_MONTH = rf"(?P<month>{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_STYLES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<!\d){_YEAR}(?P<mark>[-/])(?P<number>\d\d)(?P=mark)(?P<day>\d\d)(?!\d)",
        rf"(?<!\d)(?P<day>\d\d)\.(?P<number>\d\d)\.{_YEAR}(?!\d)",
        rf"\b(?:(?P<first>\d{{1,2}}) to )?(?P<day>\d{{1,2}}) {_MONTH} {_YEAR}\b",
        rf"\b{_MONTH} (?P<day>\d{{1,2}}), {_YEAR}\b",
        rf"(?<!\d )\b{_MONTH} {_YEAR}\b",
    )
)


def dates_in(text: str) -> Iterator[date]:
    """Yield the dates of 2025 that a text mentions, some several times."""
    for style in _STYLES:
        for match in style.finditer(text):
            parts = match.groupdict()
            number = int(parts["number"]) if "number" in parts else _NUMBERS[parts["month"]]
            yield date(_YEAR, number, int(parts.get("day") or 1))
            if parts.get("first"):
                yield date(_YEAR, number, int(parts["first"]))


def truth(initial: Folder) -> list[str]:
    """Return the lines of the timeline."""
    found = {(day, path) for path in initial.files() for day in dates_in(initial.text(path))}
    return [f"{path}:{day.isoformat()}" for day, path in sorted(found)]


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    expect_text(final, _RESULT, "\n".join(truth(initial)))
    expect_unchanged(final, initial, allow={_RESULT})


if __name__ == "__main__":
    verify_main(verify)
