"""Tasks of a user's own MCPMark checkout, read as they are: descriptions, verifiers, environments.

In the checkout a task is `tasks/filesystem/standard/CATEGORY/TASK/`; its environment is the folder
CATEGORY of the environments' folder. Programs stand beside the user's `suite.toml`, in
`programs/CATEGORY/TASK/`.
"""

import os
from pathlib import Path

from controlscope.budgets import Budget
from controlscope.errors import InputError
from controlscope.tasks import Task
from panels.programs import load_programs
from panels.suite_file import SuiteFile, located
from panels.toml import place, read_text

__all__ = ["load_mcpmark"]

_TASKS = "tasks/filesystem/standard"
_PIECES = ("description.md", "meta.json", "verify.py")
_ROOT_VARIABLE = "FILESYSTEM_TEST_ROOT"

_FORBID_CODE = {
    "file_context/pattern_matching",
    "folder_structure/structure_analysis",
    "folder_structure/structure_mirror",
    "student_database/duplicate_name",
}
_LEFT_OUT = ("threestudio", "votenet")
"""Categories outside the record of 24 tasks (paper, section 4)."""


def load_mcpmark(path: Path, file: SuiteFile, seed: int) -> tuple[list[Task], tuple[str, ...]]:
    """Return the tasks of the checkout that a `suite.toml` names, and the ids of those left out.

    InputError names a piece, an environment or a program's task that is missing.
    """
    if file.suite.root is None:
        raise InputError(f"{place(path, 'suite', 'kind')}: needs root, an MCPMark checkout")
    root = located(path, file.suite.root, "suite", "root")
    source = root / _TASKS
    found = sorted({piece.parent for name in _PIECES for piece in source.glob(f"*/*/{name}")})
    ids = {folder.relative_to(source).as_posix(): folder for folder in found}
    left_out = tuple(name for name in ids if name.split("/")[0] in _LEFT_OUT)
    chosen = {name: folder for name, folder in ids.items() if name not in left_out}
    if not chosen:
        raise InputError(f"{place(path, 'suite', 'root')}: no {_TASKS}/CATEGORY/TASK in {root}")
    programs = path.parent / "programs"
    for folder in sorted(programs.glob("*/*")):
        if folder.is_dir() and folder.relative_to(programs).as_posix() not in chosen:
            raise InputError(f"{folder} belongs to no task of {source}")
    environments = _environments(path, file, sorted({name.split("/")[0] for name in chosen}))
    tasks = [
        _load_task(folder, name, environments / name.split("/")[0], programs / name, seed)
        for name, folder in chosen.items()
    ]
    return tasks, left_out


def _environments(path: Path, file: SuiteFile, categories: list[str]) -> Path:
    """Find the folder of the initial environments, which must hold every category."""
    if file.suite.environments is not None:
        folder = located(path, file.suite.environments, "suite", "environments")
        source = place(path, "suite", "environments")
    elif os.environ.get(_ROOT_VARIABLE):
        folder = Path(os.environ[_ROOT_VARIABLE]).absolute()
        source = _ROOT_VARIABLE
    else:
        raise InputError(
            f"{place(path, 'suite', 'kind')}: needs environments, the folder of MCPMark's initial"
            f" environments, or its variable {_ROOT_VARIABLE}"
        )
    missing = [name for name in categories if not (folder / name).is_dir()]
    if missing:
        raise InputError(f"{source}: {folder} has no folder {', '.join(missing)}")
    return folder


def _load_task(folder: Path, name: str, environment: Path, programs: Path, seed: int) -> Task:
    for needed in _PIECES:
        if not (folder / needed).is_file():
            raise InputError(f"{folder} has no {needed}")
    instruction = read_text(folder / "description.md").strip()
    if not instruction:
        raise InputError(f"{folder / 'description.md'} is empty")
    return Task(
        id=name,
        kind="mcpmark",
        category=name.split("/")[0],
        instruction=instruction,
        folder=folder,
        environment=environment,
        seed=seed,
        code=name not in _FORBID_CODE,
        budget=Budget(),
        programs=load_programs(programs),
    )
