"""Success: `student_grades.csv` gives each student's five grades by id and `grade_summary.txt` the
count of each grade in each subject, both in the form asked for, and nothing else has changed.
"""

from panels.suites.filesystem.student_database.records import SUBJECTS
from panels.suites.support import Folder, expect_text, expect_unchanged, verify_main

GRADES, SUMMARY = "student_grades.csv", "grade_summary.txt"
_LEAST = {"A": 90, "B": 80, "C": 70, "D": 60}


def grade(score: int) -> str:
    """Return the grade of a score from 0 to 100."""
    return next((letter for letter, least in _LEAST.items() if score >= least), "F")


def expected(initial: Folder) -> tuple[str, str]:
    """Compute the table and the summary from the students' files."""
    rows = []
    for folder in initial.directories():
        # Commas in the address shift what follows it: names count from the left, scores from the
        # right.
        fields = initial.text(f"{folder}/basic_info.csv").split("\n")[1].split(",")
        rows.append([*fields[:2], *(grade(int(score)) for score in fields[-len(SUBJECTS) :])])
    table = [["student_id", "name", *SUBJECTS], *sorted(rows)]
    summary = []
    for column, subject in enumerate(SUBJECTS, start=2):
        given = [row[column] for row in rows]
        counts = " ".join(f"{letter}={given.count(letter)}" for letter in "ABCDF")
        summary.append(f"{subject}: {counts}")
    return "\n".join(",".join(row) for row in table), "\n".join(summary)


def verify(final: Folder, initial: Folder) -> None:
    """Compare both files with the truth, and everything else with what was built."""
    table, summary = expected(initial)
    expect_text(final, GRADES, table)
    expect_text(final, SUMMARY, summary)
    expect_unchanged(final, initial, {GRADES, SUMMARY})


if __name__ == "__main__":
    verify_main(verify)
