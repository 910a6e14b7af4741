"""Load source programs: a folder of Python files, one a reply."""

import re
from collections import defaultdict
from pathlib import Path
from string import ascii_lowercase

from controlscope.errors import InputError
from controlscope.tasks import Block, Reply, SourceProgram
from panels.toml import read_text

__all__ = ["load_program", "load_programs"]

_REPLY_FILE = re.compile(r"([0-9]{2})([a-z]?)\.py")
_FAILURE_FILE = re.compile(r"[0-9]{2}\.error")


def load_programs(folder: Path) -> dict[str, SourceProgram]:
    """Read a task's programs, a folder each: `p1` is P1. A missing folder holds none."""
    programs: dict[str, SourceProgram] = {}
    for path in sorted(folder.glob("*")):
        name = path.name.upper()
        if name in programs:
            raise InputError(f"{folder} has two programs {name}, that differ in case alone")
        if path.is_dir():
            programs[name] = load_program(path, name)
    return programs


def load_program(folder: Path, name: str) -> SourceProgram:
    """Read a program's folder: `01.py`, `02.py`, … a reply each; `02a.py`, `02b.py` queue two.

    `01.txt` is what the first reply says beside its code. `03.error` after `02.py` says in its text
    how planning failed there. Other files are ignored.
    InputError names a reply or a block that is missing in the order.
    """
    replies: dict[int, list[str]] = defaultdict(list)
    for path in sorted(folder.glob("*.py")):
        match = _REPLY_FILE.fullmatch(path.name)
        if match:
            replies[int(match[1])].append(match[2])
    if not replies:
        raise InputError(f"{folder} is no program: it needs 01.py, 02.py, … a reply each")
    if 0 in replies:
        raise InputError(f"{folder} has a 00.py: replies count from 01")
    return SourceProgram(
        name,
        tuple(_load_reply(folder, k, replies.get(k, [""])) for k in range(1, max(replies) + 1)),
        _load_failure(folder, max(replies) + 1),
    )


def _load_reply(folder: Path, number: int, letters: list[str]) -> Reply:
    if "" in letters and len(letters) > 1:
        raise InputError(f"{folder} has both {number:02}.py and {number:02}{letters[1]}.py")
    expected = letters if letters == [""] else ascii_lowercase[: len(letters)]
    paths = [folder / f"{number:02}{letter}.py" for letter in expected]
    for path in paths:
        if not path.exists():
            raise InputError(f"{folder} has no {path.name}")
    said = folder / f"{number:02}.txt"
    return Reply(
        tuple(Block(id=f"call_{path.stem}", code=read_text(path)) for path in paths),
        read_text(said) if said.exists() else "",
    )


def _load_failure(folder: Path, number: int) -> str | None:
    path = folder / f"{number:02}.error"
    for found in sorted(folder.glob("*.error")):
        if _FAILURE_FILE.fullmatch(found.name) and found != path:
            raise InputError(f"{folder} has {found.name}: planning fails after the last reply")
    return read_text(path).strip() if path.exists() else None
