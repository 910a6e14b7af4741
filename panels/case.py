"""Named cases: a program, its runs under several policies, and what must follow.

A case shows a mechanism; it is no sample, and it stands outside every panel.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from controlscope.canonical import JsonObject
from controlscope.operations import ReplaceBoundary
from controlscope.run_log import read_run
from controlscope.schedules import Never, parse_schedule
from panels import scripts
from panels.launch import RunPlan, execute
from panels.programs import load_program
from panels.results import row_of
from panels.spec import Condition
from panels.suite import find_task
from panels.toml import Strict, read_toml

__all__ = ["CASES", "Case", "load_case", "run_case", "what_failed"]

CASES = Path(__file__).parent / "cases"
"""Where the named cases are, a folder each."""


class _CaseRun(Condition):
    replace: ReplaceBoundary = "reply"
    expect: dict[str, Any]
    fewer_calls_than: str | None = None


class _CaseFile(Strict):
    about: str
    task: str
    seed: int = Field(ge=0)
    runs: dict[str, _CaseRun]


@dataclass(frozen=True)
class Case:
    """What a case is about, its runs in order, and what each of them must show."""

    about: str
    plans: dict[str, RunPlan]
    expected: dict[str, _CaseRun]


def load_case(folder: Path) -> Case:
    """Read `case.toml` and the program beside it."""
    file = read_toml(folder / "case.toml", _CaseFile)
    suite, task = find_task(file.task, file.seed)
    program = load_program(folder / "programs" / "p1", folder.name)
    plans = {
        name: RunPlan(
            suite=suite,
            task=task,
            program=program,
            condition=name,
            scope=run.scope,
            schedule=Never() if run.scope == "keep" else parse_schedule(run.schedule),
            reviewer=run.reviewer,
            replace=run.replace,
        )
        for name, run in file.runs.items()
    }
    return Case(file.about, plans, file.runs)


async def run_case(case: Case, out: Path) -> dict[str, JsonObject]:
    """Run a case into a new folder; return each run's row."""
    rows = {}
    for name, plan in case.plans.items():
        initial = out / "initial"
        if not initial.exists():
            await scripts.build(plan.task, initial)
        await execute(plan, out / name, initial)
        rows[name] = row_of(read_run(out / name))
    return rows


def what_failed(case: Case, rows: dict[str, JsonObject]) -> list[str]:
    """Say what does not hold; every run must also share Keep's states up to its first operation."""
    failed = []
    for name, run in case.expected.items():
        row = rows[name]
        for key, value in run.expect.items():
            if row[key] != value:
                failed.append(f"{name}: {key} is {row[key]!r}, not {value!r} ({row['message']})")
        other = run.fewer_calls_than
        if other and row["calls"] >= rows[other]["calls"]:
            failed.append(f"{name}: {row['calls']} calls, {other} {rows[other]['calls']}")
        keys = row["state_keys"]
        if rows["keep"]["state_keys"][: len(keys)] != keys:
            failed.append(f"{name}: its prefix differs from Keep's")
    return failed
