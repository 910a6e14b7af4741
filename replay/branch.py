"""Paired continuations of one recorded state: a checked prefix, one operation, what follows."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from controlscope.canonical import JsonObject, digest
from controlscope.episode import Episode
from controlscope.errors import InputError
from controlscope.operations import Operation, Scope, as_json
from controlscope.roles import EventLog, Place, Policy
from controlscope.run_folder import new_run
from controlscope.run_log import Run, read_run
from controlscope.trajectory import Parked
from replay.recorded import At, Recorded, RecordedPlanner, boundaries_of, recorded_episode
from reviewers.frozen import Frozen

__all__ = [
    "METHODS",
    "Branch",
    "Method",
    "branch_by_replay",
    "branch_episode",
    "branch_header",
    "check_branch",
]

Method: TypeAlias = Literal["fork", "replay"]
METHODS: tuple[Method, ...] = ("fork", "replay")


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


async def branch_by_replay(recorded: Recorded, branch: Branch, out: Path, refusal: str = "") -> Run:
    """Replay a run's prefix in a workspace and worker of its own, and go on from its boundary.

    Everything before, and the state at the boundary, is held against the record: a branch that
    diverges is never used. The new run is the folder `out`. `refusal` is logged: why the branch is
    no fork.
    """
    check_branch(recorded.run, branch.boundary)
    key = boundaries_of(recorded.run, branch.boundary)[branch.boundary]["state_key"]
    header = branch_header(recorded.run.header, key, branch, "replay")
    with new_run(out, header) as (log, workspace):
        if refusal:
            log.event("fork_refused", detail=refusal)
        comparison = recorded.compared(branch.boundary, log)
        async with recorded.origin.opened(workspace) as place:
            prefix = recorded_episode(recorded, place, comparison)
            match await prefix.run_to(branch.boundary):
                case worker, Parked() as parked:
                    async with branch_episode(recorded, branch, comparison, place) as loop:
                        await loop.go_on(parked, worker, alone=branch.alone)
    return read_run(out)


@asynccontextmanager
async def branch_episode(
    recorded: Recorded, branch: Branch, log: EventLog, place: Place
) -> AsyncIterator[Episode]:
    """Give the loop of a branch: one operation at its boundary, Keep and ordinary planning else."""
    reviewer = Frozen([{"boundary": branch.boundary, **as_json(branch.operation)}])
    never_asked = nullcontext(RecordedPlanner(recorded.run))
    ordinary = recorded.planning(place.environment.tools, log)
    async with never_asked if branch.alone else ordinary as planner:
        yield Episode(
            task=recorded.task,
            proxy=recorded.proxy,
            environment=place.environment,
            sandbox=place.sandbox,
            planner=planner,
            policy=Policy(branch.scope, At(frozenset({branch.boundary})), reviewer),
            replace=recorded.replace,
            log=log,
        )


def branch_header(parent: JsonObject, key: str, branch: Branch, method: Method) -> JsonObject:
    """Return what `run.json` says of a branch: its parent's header, and where it parts from it.

    `key` is the parent's state key there.
    """
    lineage = {
        "parent": parent["run"],
        "branch_point": {"boundary": branch.boundary, "state_key": key},
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
