"""Find again what a recorded run was run on: its suite's task, its program, its environment."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from controlscope.budgets import Budget, Contract
from controlscope.canonical import JsonObject
from controlscope.errors import InputError
from controlscope.operations import ReplaceBoundary, Scope
from controlscope.roles import EventLog, Planner
from controlscope.run_log import read_run
from controlscope.schedules import Never
from controlscope.tasks import Block, Reply, SourceProgram
from controlscope.tools import Tool
from panels import scripts
from panels.models import cast
from panels.origins import origin_of
from panels.plans import Models, RunPlan
from panels.suite import find_suite, load_suite
from replay.recorded import Recorded
from reviewers.limits import NO_LIMITS
from reviewers.settings import ModelSettings

__all__ = ["find_recorded"]


class _Table(BaseModel):
    """A part of `run.json`; what else it holds is of no use here."""

    model_config = ConfigDict(strict=True)


class _Block(_Table):
    id: str
    code: str


class _Reply(_Table):
    blocks: list[_Block]
    text: str


class _Source(_Table):
    suite: str
    replies: list[_Reply]


class _Policy(_Table):
    scope: Scope
    replace: ReplaceBoundary


class _Seeds(_Table):
    environment: int


class _Budget(_Table):
    calls: int | None
    planning_turns: int | None
    execution_seconds: float
    blocks: int | None
    requests_per_block: int | None


class _Models(_Table):
    planner: ModelSettings | None
    planner_draw: str
    planner_sees_reviews: bool


class _Header(_Table):
    run: str
    task: str
    program: str
    condition: str
    source: _Source
    policy: _Policy
    budgets: _Budget
    contract: Contract | None
    seeds: _Seeds
    planner: str
    models: _Models | None
    lineage: JsonObject | None


async def find_recorded(folder: Path, built: Path) -> Recorded:
    """Read a run and find what it was run on; its environment is built below `built`, once a task.

    InputError where the record does not say it, or where the suite has the task no more.
    """
    run = read_run(folder)
    header = _read_header(folder, run.header)
    suite = load_suite(find_suite(header.source.suite), header.seeds.environment)
    task = suite.tasks.get(header.task)
    if task is None:
        raise InputError(
            f"{folder}: suite {header.source.suite} has no task {header.task} any more"
        )
    budget = Budget(**header.budgets.model_dump())
    task = replace(task, budget=budget, contract=header.contract)
    initial = built / task.id.replace("/", "--") / str(task.seed)
    if not initial.exists():
        initial.parent.mkdir(parents=True, exist_ok=True)
        await scripts.build(task, initial)
    program = SourceProgram(
        header.program,
        tuple(
            Reply(tuple(Block(block.id, block.code) for block in reply.blocks), reply.text)
            for reply in header.source.replies
        ),
    )

    plan = RunPlan(
        suite=suite,
        task=task,
        program=program,
        condition=header.condition,
        scope="keep",
        schedule=Never(),
        reviewer="keep",
        replace=header.policy.replace,
        planner=header.planner,
        models=Models() if header.models is None else Models(**dict(header.models)),
    )

    @asynccontextmanager
    async def planning(tools: Mapping[str, Tool], log: EventLog) -> AsyncIterator[Planner]:
        async with cast(plan, tools, log, _requests(folder, plan), NO_LIMITS) as (planner, _):
            yield planner

    return Recorded(
        run=run,
        task=task,
        proxy=suite.proxy,
        origin=origin_of(suite, task, initial),
        planning=planning,
    )


def _requests(run: Path, plan: RunPlan) -> Path | None:
    """Return the request cache of a run's panel, where its planner is a model."""
    if plan.models.planner is None:
        return None
    requests = run.resolve().parent.parent / "requests.sqlite"
    if not requests.is_file():
        raise InputError(f"{run} plans with a model: its panel's requests.sqlite is not around it")
    return requests


def _read_header(folder: Path, header: JsonObject) -> _Header:
    try:
        return _Header.model_validate(header)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{folder / 'run.json'}: {key}: {first['msg']}") from None
