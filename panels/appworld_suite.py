"""Tasks of AppWorld's own form, read from a data root: the engine's folder with `data/` in it.

A task's id is `SCENARIO/SCENARIO_N`, its last part the engine's own. The programs of a scenario
serve all its instances; they stand beside `suite.toml`, in `programs/SCENARIO/`.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ValidationError

from controlscope.budgets import Budget
from controlscope.errors import InfrastructureError, InputError
from controlscope.tasks import SourceProgram, Task
from panels.programs import load_programs
from panels.suite_file import SuiteFile, path_of
from panels.toml import place, read_text

__all__ = ["TEST_SPLITS", "load_appworld"]

TEST_SPLITS = frozenset({"test_normal", "test_challenge"})
"""Official splits whose tasks are shown in no other form than totals."""

_ROOT_VARIABLE = "APPWORLD_ROOT"
_BLOCKS, _REQUESTS = 40, 250


class _Supervisor(BaseModel):
    first_name: str
    last_name: str
    email: str
    phone_number: str


class _Specs(BaseModel):
    """`specs.json` of a task, as far as an agent is told of it."""

    instruction: str
    supervisor: _Supervisor

    def text(self) -> str:
        """Compose what the task asks, and for whom."""
        who = self.supervisor
        return (
            f"You act for {who.first_name} {who.last_name}, whose e-mail address is {who.email} and"
            f" whose telephone number is {who.phone_number}.\nTask: {self.instruction}"
        )


def load_appworld(path: Path, file: SuiteFile, seed: int) -> list[Task]:
    """Return the tasks of the splits that a `suite.toml` names, in the splits' order.

    InfrastructureError where the data are not on this machine; InputError names a split, a task or
    a program's scenario that the data do not have.
    """
    root = _root(path, file)
    splits = file.suite.splits or []
    ids = {name: split for split in splits for name in _split(path, root, split)}
    programs = _programs(path.parent / "programs", {name.rpartition("_")[0] for name in ids})
    return [_load_task(root, name, split, programs, seed) for name, split in ids.items()]


def _root(path: Path, file: SuiteFile) -> Path:
    """Find the data root: what the key names, or the engine's own variable."""
    if file.suite.root is not None:
        root = path_of(path, file.suite.root, "suite", "root")
        advice = f"{root} is not built: make appworld"
    else:
        named = os.environ.get(_ROOT_VARIABLE, "")
        root = Path(named).absolute()
        advice = (
            f"no AppWorld data in {named or 'the variable ' + _ROOT_VARIABLE}: run `appworld"
            f" download data` and set {_ROOT_VARIABLE} to the folder that holds data/"
        )
        if not named:
            raise InfrastructureError("data_missing", f"{file.suite.name}: {advice}")
    if not (root / "data" / "tasks").is_dir():
        raise InfrastructureError("data_missing", f"{file.suite.name}: {advice}")
    return root


def _split(path: Path, root: Path, name: str) -> list[str]:
    """Read the ids of a split."""
    listed = root / "data" / "datasets" / f"{name}.txt"
    if not listed.is_file():
        raise InputError(f"{place(path, 'suite', 'splits')}: {listed} does not exist")
    ids = read_text(listed).split()
    for task in ids:
        if not task.rpartition("_")[0]:
            raise InputError(f"{listed}: {task!r} is no id SCENARIO_N")
    return ids


def _programs(folder: Path, scenarios: set[str]) -> Mapping[str, Mapping[str, SourceProgram]]:
    for path in sorted(folder.glob("*")):
        if path.is_dir() and path.name not in scenarios:
            raise InputError(f"{path} belongs to no scenario of the suite")
    return {scenario: load_programs(folder / scenario) for scenario in scenarios}


def _load_task(
    root: Path,
    name: str,
    split: str,
    programs: Mapping[str, Mapping[str, SourceProgram]],
    seed: int,
) -> Task:
    folder, scenario = root / "data" / "tasks" / name, name.rpartition("_")[0]
    path = folder / "specs.json"
    try:
        specs = _Specs.model_validate(json.loads(read_text(path)))
    except (ValidationError, ValueError) as error:
        raise InputError(f"{path} is no task of AppWorld's: {_first_line(error)}") from None
    return Task(
        id=f"{scenario}/{name}",
        kind="appworld",
        category=scenario,
        instruction=specs.text(),
        folder=folder,
        environment=root,
        seed=seed,
        code=True,
        # The blocks and their requests are what the protocol counts (paper, appendix A.2).
        budget=Budget(
            calls=None, planning_turns=None, blocks=_BLOCKS, requests_per_block=_REQUESTS
        ),
        programs=programs[scenario],
        split=split,
        contract="v2",
    )


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error)
