"""Write a user's new suite: one small task that runs and passes as it is, to be changed."""

import re
from pathlib import Path

from controlscope.errors import InputError

__all__ = ["FIRST_TASK", "new_suite"]

FIRST_TASK = "example/first"
"""The id of the task that a new suite holds."""

_SUITE = """\
[suite]
name = "{name}"
proxy = "fs"                  # programs call tools as fs.read_text_file(path="a.txt")

[environment]
server = "filesystem"
"""

_TASK = """\
code = true                   # whether the instruction allows code at all

[budget]
calls = 100
planning_turns = 100
execution_seconds = 1800
"""

_INSTRUCTION = """\
Read `note.txt` and write its text in upper case to `answer.txt`.
"""

_VERIFY = '''\
"""Success: answer.txt is note.txt in upper case.

Called with the folder that a run left and a pristine copy of the environment. Exit 0 passes, 1
fails, and the last line printed says why.
"""

import sys
from pathlib import Path

final, initial = map(Path, sys.argv[1:])
answer = final / "answer.txt"
if not answer.is_file():
    print("answer.txt is missing")
    sys.exit(1)
if answer.read_text() != (initial / "note.txt").read_text().upper():
    print("answer.txt is not note.txt in upper case")
    sys.exit(1)
print("answer.txt is right")
'''

_PROGRAM = """\
text = fs.read_text_file(path="note.txt")
fs.write_file(path="answer.txt", content=text.upper())
print("done")
"""


def new_suite(folder: Path) -> None:
    """Write the suite into an empty or new folder; its name is the folder's, as far as it can be.

    InputError where the folder holds something.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not empty")
    name = re.sub("[^a-z0-9_-]+", "-", folder.absolute().name.lower()).strip("-")
    task = folder / FIRST_TASK
    for path, text in (
        (folder / "suite.toml", _SUITE.format(name=name if name[:1].isalpha() else f"s-{name}")),
        (task / "task.toml", _TASK),
        (task / "instruction.md", _INSTRUCTION),
        (task / "environment" / "note.txt", "The river is high today.\n"),
        (task / "verify.py", _VERIFY),
        (task / "programs" / "p1" / "01.py", _PROGRAM),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
