"""Paired continuations of one recorded state: a checked prefix, one operation, what follows."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from controlscope.canonical import JsonObject, digest
from controlscope.episode import Episode
from controlscope.errors import InputError
from controlscope.operations import Operation, Scope, as_json
from controlscope.roles import Environment, EventLog, Policy, Sandbox, Worker
from controlscope.run_folder import new_run
from controlscope.run_log import Run, read_run
from controlscope.trajectory import Parked
from replay.recorded import At, Recorded, boundaries_of, opened, recorded_episode
from reviewers.frozen import Frozen

__all__ = ["Branch", "Method", "branch_by_replay", "check_branch", "go_on", "header_of"]

Method: TypeAlias = Literal["replay", "fork"]


@dataclass(frozen=True)
class Branch:
    """What happens from a boundary of a run on: one operation under a granted scope, then Keep.

    `alone`: the operation is a replacement that is run to the end of its block, or to the end of a
    budget: neither queued blocks nor planning follow. Otherwise ordinary planning goes on.
    """

    boundary: int
    operation: Operation
    scope: Scope = "full"
    alone: bool = False


def check_branch(run: Run, boundary: int) -> None:
    """Refuse a boundary that the run has not, or where the protocol offers no review.

    A review needs a call completed since the last one. InputError says so.
    """
    boundaries_of(run, boundary)
    progress = True
    for event in run.events:
        match event["kind"]:
            case "boundary" if event["index"] == boundary:
                break
            case "review_decided":
                progress = False
            case "call_completed":
                progress = True
    if not progress:
        raise InputError(
            f"{run.folder}: boundary {boundary} follows a review without a call in between, so"
            " no review is offered there"
        )


async def branch_by_replay(recorded: Recorded, branch: Branch, out: Path) -> Run:
    """Replay a run's prefix in a workspace and worker of its own, and go on from its boundary.

    Everything before, and the state at the boundary, is held against the record: a branch that
    diverges is never used. The new run is the folder `out`.
    """
    check_branch(recorded.run, branch.boundary)
    with new_run(out, header_of(recorded, branch, "replay")) as (log, workspace):
        comparison = recorded.compared(branch.boundary, log)
        async with opened(recorded, workspace) as (environment, sandbox):
            episode = recorded_episode(recorded, environment, sandbox, comparison)
            match await episode.run_to(branch.boundary):
                case worker, Parked() as parked:
                    await go_on(recorded, branch, comparison, environment, sandbox, worker, parked)
    return read_run(out)


async def go_on(
    recorded: Recorded,
    branch: Branch,
    log: EventLog,
    environment: Environment,
    sandbox: Sandbox,
    worker: Worker,
    parked: Parked,
) -> None:
    """Enter the boundary with the branch's operation, and run to an ending."""
    reviewer = Frozen([{"boundary": branch.boundary, **as_json(branch.operation)}])
    async with recorded.planning(environment.tools, log) as planner:
        episode = Episode(
            task=recorded.task,
            proxy=recorded.proxy,
            environment=environment,
            sandbox=sandbox,
            planner=planner,
            policy=Policy(branch.scope, At(frozenset({branch.boundary})), reviewer),
            replace=recorded.replace,
            log=log,
        )
        await episode.go_on(parked, worker, alone=branch.alone)


def header_of(recorded: Recorded, branch: Branch, method: Method) -> JsonObject:
    """Return what `run.json` says of a branch: its parent's header, and where it parts from it."""
    parent = recorded.run.header
    boundary = boundaries_of(recorded.run, branch.boundary)[branch.boundary]
    lineage = {
        "parent": parent["run"],
        "branch_point": {"boundary": branch.boundary, "state_key": boundary["state_key"]},
        "intervention": as_json(branch.operation),
        "schedule": f"once:{branch.boundary}",
        "method": method,
        "endpoint": "block" if branch.alone else "planning",
    }
    policy = {
        **parent["policy"],
        "scope": branch.scope,
        "offered": branch.scope,
        "mode": "scripted",
        "schedule": lineage["schedule"],
        "reviewer": "frozen",
    }
    models = parent["models"]
    return {
        **parent,
        "run": digest([parent["run"], lineage, branch.scope])[:16],
        "condition": branch.scope,
        "policy": policy,
        "models": None if models is None else {**models, "reviewer": None},
        "lineage": lineage,
    }
