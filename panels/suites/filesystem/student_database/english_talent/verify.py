"""Success: `qualified_students.txt` lists exactly the students with a final English grade of S or A
and a TOEFL score of at least 100, by id, in the form asked for, and nothing else has changed.
"""

import re

from panels.suites.filesystem.student_database.letters import FINAL_GRADE, GRADES
from panels.suites.filesystem.student_database.records import COLUMNS
from panels.suites.support import Folder, expect_text, expect_unchanged, verify_main

OUTPUT = "qualified_students.txt"
_GRADE = re.compile(rf"[Ff]{FINAL_GRADE[1:]}\W+(?:\w{{2,}} )?([{''.join(GRADES)}])\b")


def expected(initial: Folder) -> str:
    """Compute the list from the students' files."""
    blocks = []
    for folder in initial.directories():
        # Only the address holds commas of its own: the fields before it stand where they should.
        row = initial.text(f"{folder}/basic_info.csv").split("\n")[1].split(",")
        fields = dict(zip(COLUMNS[: COLUMNS.index("address")], row, strict=False))
        (grade,) = _GRADE.findall(initial.text(f"{folder}/recommendation_letter.txt"))
        if grade in "SA" and int(fields["toefl"]) >= 100:
            lines = (fields["student_id"], fields["name"], fields["email"])
            blocks.append("Name: {1}\nID: {0}\nEmail: {2}\n".format(*lines))
    return "\n".join(sorted(blocks, key=lambda block: block.split("\n")[1]))


def verify(final: Folder, initial: Folder) -> None:
    """Compare the list with the truth, and everything else with what was built."""
    expect_text(final, OUTPUT, expected(initial))
    expect_unchanged(final, initial, {OUTPUT})


if __name__ == "__main__":
    verify_main(verify)
