"""Whether a data root is what it is taken for, seen before anything of it is run."""

import ast
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from controlscope.errors import InfrastructureError, InputError
from executors.appworld.engine import PYTHON

__all__ = ["check_data"]

_OFFICIAL = {"test_normal": (168, 56), "test_challenge": (417, 139)}
"""Tasks and scenarios of the benchmark's own splits (paper, appendix A.2)."""

_INSTANCES = 3
_CONSTANTS = "lib/python3*/site-packages/appworld/common/constants.py"
_ADVICE = "run `appworld download data` anew"


def check_data(root: Path, splits: Iterable[str]) -> None:
    """Check that a data root holds these splits, in a version that the installed engine opens.

    Of the benchmark's own splits the numbers of tasks and scenarios are known. InputError names
    what is wrong; InfrastructureError (data_missing) where AppWorld is not installed.
    """
    data, version = root / "data", _db_version()
    for name in ("api_docs/standard", "base_dbs"):
        if not (data / name).is_dir():
            raise InputError(f"{data / name} is missing: {_ADVICE}")
    for split in splits:
        listed = data / "datasets" / f"{split}.txt"
        tasks = listed.read_text(encoding="utf-8").split()
        if split in _OFFICIAL:
            _check_counts(listed, tasks, *_OFFICIAL[split])
        for task in tasks:
            _check_task(data / "tasks" / task, version)


def _check_counts(listed: Path, tasks: list[str], count: int, scenarios: int) -> None:
    instances = Counter(task.rpartition("_")[0] for task in set(tasks))
    if (len(tasks), len(instances)) != (count, scenarios):
        raise InputError(
            f"{listed} lists {len(tasks)} tasks of {len(instances)} scenarios, where the benchmark"
            f" has {count} of {scenarios}: {_ADVICE}"
        )
    wrong = sorted(name for name, found in instances.items() if found != _INSTANCES)
    if wrong:
        raise InputError(f"{listed}: {wrong[0]} has not {_INSTANCES} instances: {_ADVICE}")


def _check_task(folder: Path, version: str) -> None:
    for name in ("specs.json", "dbs", "ground_truth/evaluation.py"):
        if not (folder / name).exists():
            raise InputError(f"{folder / name} is missing: {_ADVICE}")
    specs = folder / "specs.json"
    try:
        found = json.loads(specs.read_text(encoding="utf-8"))["db_version"]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{specs} has no db_version: {_ADVICE}") from None
    if found != version:
        raise InputError(
            f"{specs} has db_version {found!r}, and the installed engine opens {version!r}: take"
            " the data of that version"
        )


def _db_version() -> str:
    """Read the version from the engine's source: importing it would take its whole environment."""
    for path in PYTHON.parents[1].glob(_CONSTANTS):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            match node:
                case ast.Assign(
                    targets=[ast.Name(id="DB_VERSION")], value=ast.Constant(value=str(version))
                ):
                    return version
    raise InfrastructureError("data_missing", f"no AppWorld at {PYTHON}: make appworld")
