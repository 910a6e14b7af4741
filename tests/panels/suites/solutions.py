"""Reference solutions of what several tasks ask for, from what their generators planted."""

from collections.abc import Iterable

from panels.suites.filesystem.file_property.dated_files import Planted
from panels.suites.filesystem.student_database.records import Student
from tests.panels.suites.checking import Trees

__all__ = ["TALENTS", "by_day", "sort_into_days", "talent_list"]

TALENTS = "qualified_students.txt"


def talent_list(chosen: Iterable[Student]) -> str:
    """Write students as the English talent selection asks, without a last line end."""
    return "\n\n".join(f"Name: {one.name}\nID: {one.id}\nEmail: {one.email}" for one in chosen)


def by_day(files: Iterable[Planted], form: str) -> dict[str, list[Planted]]:
    """Return the files by the folder of their day, each day's by name."""
    days: dict[str, list[Planted]] = {}
    for file in sorted(files, key=lambda file: file.name):
        days.setdefault(file.modified.strftime(form), []).append(file)
    return days


def sort_into_days(trees: Trees, days: dict[str, list[Planted]]) -> None:
    """Move the files of the final folder into the folders of their days, and write the spans."""
    for day, files in days.items():
        for file in files:
            trees.move(file.name, f"{day}/{file.name}")
        # Sorted by name before, so that a tie goes to the first name from either end.
        first = sorted(files, key=lambda file: file.modified)[0]
        last = sorted(files, key=lambda file: file.modified, reverse=True)[0]
        lines = [
            f"{label}: {file.name} {file.modified.time().isoformat()}"
            for label, file in (("first", first), ("last", last))
        ]
        trees.put(f"{day}/span.txt", "\n".join(lines))
