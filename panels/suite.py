"""Load a suite: a folder of tasks, built in or a user's own, checked whole before anything runs."""

from pathlib import Path

from pydantic import Field

from controlscope.budgets import Budget
from controlscope.errors import InputError
from controlscope.tasks import Suite, Task
from executors.confinement import SYSTEM
from panels.alfworld_suite import load_alfworld
from panels.appworld_suite import TEST_SPLITS, load_appworld
from panels.mcpmark import load_mcpmark
from panels.programs import load_programs
from panels.suite_file import read_suite_file, server_of
from panels.toml import Strict, place, read_text, read_toml

__all__ = ["SUITES", "address_of", "find_suite", "find_task", "load_suite"]

SUITES = Path(__file__).parent / "suites"
"""Where the built-in suites are."""

_PIECES = ("task.toml", "instruction.md", "verify.py")


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


def address_of(folder: Path) -> str:
    """Return what `find_suite` finds a suite's folder by, wherever it is asked from."""
    folder = folder.resolve()
    return folder.name if folder.parent == SUITES.resolve() else str(folder)


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
    path = folder / "suite.toml"
    file = read_suite_file(path)
    server = server_of(path, file)
    chosen = file.suite.seed if seed is None else seed
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    match file.suite.kind:
        case "tasks":
            tasks = _load_tasks(folder, chosen)
        case "mcpmark":
            tasks, left_out = load_mcpmark(path, file, chosen)
        case "appworld":
            tasks = load_appworld(path, file, chosen)
        case "alfworld":
            tasks, notes = load_alfworld(path, file, chosen)
    suite = Suite(
        name=file.suite.name,
        folder=folder,
        proxy=file.suite.proxy,
        server=server,
        tasks={task.id: task for task in tasks},
        left_out=left_out,
        label=file.suite.label,
        notes=notes,
        only_totals=any(task.split in TEST_SPLITS for task in tasks),
    )
    _check_verifiers_are_hidden(suite)
    return suite


def _check_verifiers_are_hidden(suite: Suite) -> None:
    """Refuse a server that could read how its tasks are scored."""
    if not suite.server.command:
        return
    for shown in (*SYSTEM, *suite.server.readable):
        for task in suite.tasks.values():
            folder, visible = task.folder.resolve(), shown.resolve()
            if folder.is_relative_to(visible) or visible.is_relative_to(folder):
                raise InputError(
                    f"{place(suite.folder / 'suite.toml', 'environment')}: the server can read"
                    f" {shown}, and may read nothing of task {task.id}, where its verifier is"
                )


def _load_tasks(folder: Path, seed: int) -> list[Task]:
    paths = sorted({path.parent for piece in _PIECES for path in folder.glob(f"*/*/{piece}")})
    if not paths:
        raise InputError(f"{folder} holds no task: a task is CATEGORY/TASK/task.toml")
    return [_load_task(path, path.relative_to(folder).as_posix(), seed) for path in paths]


def _load_task(folder: Path, name: str, seed: int) -> Task:
    for needed in _PIECES:
        if not (folder / needed).is_file():
            raise InputError(f"{folder} has no {needed}")
    file = read_toml(folder / "task.toml", _TaskFile)
    script, environment = folder / "build.py", folder / "environment"
    if script.is_file() == environment.is_dir():
        raise InputError(f"{folder} needs either build.py or environment/")
    instruction = read_text(folder / "instruction.md").strip()
    if not instruction:
        raise InputError(f"{folder / 'instruction.md'} is empty")
    return Task(
        id=name,
        kind="tasks",
        category=name.split("/")[0],
        instruction=instruction,
        folder=folder,
        environment=environment if environment.is_dir() else script,
        seed=seed,
        code=file.code,
        budget=Budget(**file.budget.model_dump()),
        programs=load_programs(folder / "programs"),
    )
