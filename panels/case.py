"""Named cases: a program, its runs under several policies, and what must follow.

A case shows a mechanism; it is no sample, and it stands outside every panel.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from controlscope.canonical import JsonObject
from controlscope.operations import ReplaceBoundary
from controlscope.run_log import Run, read_run
from controlscope.schedules import Never, parse_schedule
from panels import scripts
from panels.launch import execute
from panels.plans import RunPlan
from panels.programs import load_program
from panels.results import row_of
from panels.spec_file import Condition
from panels.suite import find_task
from panels.toml import Strict, read_toml

__all__ = ["CASES", "Case", "load_case", "run_case", "what_failed"]

CASES = Path(__file__).parent / "cases"
"""Where the named cases are, a folder each."""


class _CaseRun(Condition):
    """One run; `frozen:FILE` is looked for in the case's folder, so it is not resolved here."""

    reviewer: str = "keep"
    replace: ReplaceBoundary = "reply"
    expect: dict[str, Any]
    fewer_calls_than: str | None = None
    fewer_reviews_than: str | None = None
    same_as: str | None = None


class _CaseFile(Strict):
    about: str
    task: str
    seed: int = Field(ge=0)
    runs: dict[str, _CaseRun]

    @model_validator(mode="after")
    def _runs_are_known(self) -> "_CaseFile":
        for run in self.runs.values():
            others = {run.fewer_calls_than, run.fewer_reviews_than, run.same_as, "keep"} - {None}
            for other in sorted(map(str, others - set(self.runs))):
                raise ValueError(f"there is no run {other!r} to compare with")
        return self


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
            reviewer=_beside(folder, run.reviewer),
            replace=run.replace,
        )
        for name, run in file.runs.items()
    }
    return Case(file.about, plans, file.runs)


def _beside(folder: Path, reviewer: str) -> str:
    kind, _, file = reviewer.partition(":")
    return f"frozen:{folder / file}" if kind == "frozen" else reviewer


async def run_case(case: Case, out: Path) -> dict[str, JsonObject]:
    """Run a case into a new folder; return each run's row.

    Beside what a panel says of a run, a row holds `cancelled`, the queued blocks that replacements
    cancelled, and `trace`, what runs with the same operations must share.
    """
    initial = out / "initial"
    await scripts.build(next(iter(case.plans.values())).task, initial)
    async with asyncio.TaskGroup() as group:
        for name, plan in case.plans.items():
            group.create_task(execute(plan, out / name, initial))
    runs = {name: read_run(out / name) for name in case.plans}
    return {
        name: {**row_of(run), "cancelled": _cancelled(run), "trace": _trace(run)}
        for name, run in runs.items()
    }


def _cancelled(run: Run) -> list[str]:
    return [block for event in run.of_kind("continuation_replaced") for block in event["cancelled"]]


def _trace(run: Run) -> JsonObject:
    (ended,) = run.of_kind("episode_ended")
    (scored,) = run.of_kind("scored")
    return {
        "calls": [
            [
                call["tool"],
                call["arguments"],
                call.get("shown", call["observation"]),
                call["digest"],
            ]
            for call in run.of_kind("call_completed")
        ],
        "files": ended["files"],
        "score": [scored["success"], scored["message"]],
    }


def what_failed(case: Case, rows: dict[str, JsonObject]) -> list[str]:
    """Say what does not hold; every run must also share Keep's states up to its first operation."""
    failed = []
    for name, run in case.expected.items():
        row = rows[name]
        for key, value in run.expect.items():
            if row[key] != value:
                failed.append(f"{name}: {key} is {row[key]!r}, not {value!r} ({row['message']})")
        for key, other in (("calls", run.fewer_calls_than), ("reviews", run.fewer_reviews_than)):
            if other and row[key] >= rows[other][key]:
                failed.append(f"{name}: {row[key]} {key}, {other} {rows[other][key]}")
        if run.same_as:
            failed += [
                f"{name}: {part} not the same as {run.same_as}'s"
                for part, mine in row["trace"].items()
                if mine != rows[run.same_as]["trace"][part]
            ]
        keys = row["state_keys"]
        if rows["keep"]["state_keys"][: len(keys)] != keys:
            failed.append(f"{name}: its prefix differs from Keep's")
    return failed
