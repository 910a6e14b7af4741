"""Load a suite: a folder of tasks, built in or a user's own, checked whole before anything runs."""

import re
from collections import defaultdict
from keyword import iskeyword
from pathlib import Path
from string import ascii_lowercase
from typing import Literal

from pydantic import Field, field_validator

from controlscope.budgets import Budget
from controlscope.errors import InputError
from controlscope.tasks import Block, Reply, SourceProgram, Suite, Task
from panels.toml import Strict, read_text, read_toml

__all__ = ["SUITES", "find_suite", "find_task", "load_program", "load_suite"]

SUITES = Path(__file__).parent / "suites"
"""Where the built-in suites are."""

_REPLY_FILE = re.compile(r"([0-9]{2})([a-z]?)\.py")
_PIECES = ("task.toml", "instruction.md", "verify.py")


class _EnvironmentTable(Strict):
    server: Literal["filesystem"]


class _SuiteTable(Strict):
    """`seed` is the one that environments are built from unless another is asked."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]*$")
    proxy: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    seed: int = Field(ge=0)

    @field_validator("proxy")
    @classmethod
    def _is_a_name(cls, text: str) -> str:
        if iskeyword(text):
            raise ValueError(f"{text} is a word of Python's own")
        return text


class _SuiteFile(Strict):
    suite: _SuiteTable
    environment: _EnvironmentTable


class _BudgetTable(Strict):
    calls: int = Field(default=100, ge=1)
    planning_turns: int = Field(default=100, ge=0)
    execution_seconds: float = Field(default=1800.0, gt=0, allow_inf_nan=False)


class _TaskFile(Strict):
    """`task.toml`: `code` tells whether the instruction allows code at all."""

    code: bool = True
    budget: _BudgetTable = _BudgetTable()


def find_suite(name: str) -> Path:
    """Return the folder of a built-in suite's name or of a user's own folder."""
    folder = _suite_folder(name)
    if folder is not None:
        return folder
    known = ", ".join(sorted(path.parent.name for path in SUITES.glob("*/suite.toml")))
    raise InputError(f"no suite {name!r}: built in are {known}; a folder needs a suite.toml")


def _suite_folder(name: str) -> Path | None:
    """Look for a suite; a plain name is a built-in one first, `./name` is the user's own."""
    places = (Path(name), SUITES / name) if "/" in name else (SUITES / name, Path(name))
    return next((folder for folder in places if (folder / "suite.toml").is_file()), None)


def find_task(address: str, seed: int | None = None) -> tuple[Suite, Task]:
    """Read SUITE/TASK: the longest prefix that is a suite, then a task's id in it."""
    parts = address.strip("/").split("/")
    root = "/" if address.startswith("/") else ""
    for cut in range(len(parts) - 1, 0, -1):
        prefix = root + "/".join(parts[:cut])
        folder = _suite_folder(prefix)
        if folder is not None:
            suite = load_suite(folder, seed)
            return suite, _task_of(suite, "/".join(parts[cut:]))
    raise InputError(f"{address!r} names no task: use SUITE/TASK, as listed by: controlscope tasks")


def _task_of(suite: Suite, name: str) -> Task:
    """Find a task by its id, or by its last part where that is unique."""
    found = [known for known in suite.tasks if name in (known, known.split("/")[-1])]
    if len(found) == 1:
        return suite.tasks[found[0]]
    raise InputError(
        f"no task {name!r} in suite {suite.name}; it holds {', '.join(sorted(suite.tasks))}"
    )


def load_suite(folder: Path, seed: int | None = None) -> Suite:
    """Read a suite and all its tasks; `seed` overrides the suite's own."""
    table = read_toml(folder / "suite.toml", _SuiteFile).suite
    paths = sorted({path.parent for piece in _PIECES for path in folder.glob(f"*/*/{piece}")})
    if not paths:
        raise InputError(f"{folder} holds no task: a task is CATEGORY/TASK/task.toml")
    chosen = table.seed if seed is None else seed
    tasks = [_load_task(path, path.relative_to(folder).as_posix(), chosen) for path in paths]
    return Suite(table.name, table.proxy, {task.id: task for task in tasks})


def _load_task(folder: Path, name: str, seed: int) -> Task:
    for needed in _PIECES:
        if not (folder / needed).is_file():
            raise InputError(f"{folder} has no {needed}")
    file = read_toml(folder / "task.toml", _TaskFile)
    if (folder / "build.py").is_file() == (folder / "environment").is_dir():
        raise InputError(f"{folder} needs either build.py or environment/")
    instruction = read_text(folder / "instruction.md").strip()
    if not instruction:
        raise InputError(f"{folder / 'instruction.md'} is empty")
    return Task(
        id=name,
        category=name.split("/")[0],
        instruction=instruction,
        folder=folder,
        seed=seed,
        code=file.code,
        budget=Budget(**file.budget.model_dump()),
        programs=_load_programs(folder / "programs"),
    )


def _load_programs(folder: Path) -> dict[str, SourceProgram]:
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

    Other files are ignored. InputError names a reply or a block that is missing in the order.
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
    )


def _load_reply(folder: Path, number: int, letters: list[str]) -> Reply:
    if "" in letters and len(letters) > 1:
        raise InputError(f"{folder} has both {number:02}.py and {number:02}{letters[1]}.py")
    expected = letters if letters == [""] else ascii_lowercase[: len(letters)]
    paths = [folder / f"{number:02}{letter}.py" for letter in expected]
    for path in paths:
        if not path.exists():
            raise InputError(f"{folder} has no {path.name}")
    return Reply(tuple(Block(id=f"call_{path.stem}", code=read_text(path)) for path in paths))
