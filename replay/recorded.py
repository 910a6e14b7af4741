"""A recorded run with all that it was run on, and its decisions as a planner and a policy."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import cast

from controlscope.boundaries import Boundary, History
from controlscope.budgets import Tokens, Usage
from controlscope.canonical import JsonObject
from controlscope.episode import Episode
from controlscope.errors import (
    InfrastructureError,
    InputError,
    InvalidReviewError,
    PlannerError,
    RejectedError,
    ReviewServiceError,
)
from controlscope.operations import ReplaceBoundary, Scope, parse_operation
from controlscope.roles import EventLog, Origin, Place, Plan, Planner, Policy, Review
from controlscope.run_log import Run
from controlscope.schedules import Moment
from controlscope.tasks import Block, Reply, Task
from controlscope.tools import Tool
from replay.compare import Comparison

__all__ = ["At", "Recorded", "RecordedPlanner", "boundaries_of", "recorded_episode"]


@dataclass(frozen=True)
class Recorded:
    """A run's record, and what is needed to run its program again.

    `task` has the recorded budget; `origin` is what it started from; `planning`, given the tools
    and a log, is the ordinary planning that follows the record.
    """

    run: Run
    task: Task
    proxy: str
    origin: Origin
    planning: Callable[[Mapping[str, Tool], EventLog], AbstractAsyncContextManager[Planner]]

    @property
    def alone_from(self) -> int | None:
        """The boundary whose block the run ended with, where it was to end so."""
        lineage = self.run.header["lineage"]
        if lineage is None or lineage["endpoint"] != "block":
            return None
        return cast("int", lineage["branch_point"]["boundary"])

    @property
    def replace(self) -> ReplaceBoundary:
        """What a replacement ended in the recorded run."""
        return cast("ReplaceBoundary", self.run.header["policy"]["replace"])

    def compared(self, last: int | None, into: EventLog | None = None) -> Comparison:
        """Return the log that holds a replay against the record as far as boundary `last`."""
        return Comparison(self.run, self.origin.shown, last, into)


@dataclass(frozen=True)
class At:
    """Offers a review at given boundaries, those of a record."""

    boundaries: frozenset[int]

    def offers(self, moment: Moment) -> bool:
        """Offer at these."""
        return moment.boundary in self.boundaries

    def __str__(self) -> str:
        return f"at:{','.join(map(str, sorted(self.boundaries)))}"


def recorded_episode(recorded: Recorded, place: Place, log: EventLog) -> Episode:
    """Return the loop with the record's replies and decisions feeding it."""
    return Episode(
        task=recorded.task,
        proxy=recorded.proxy,
        environment=place.environment,
        sandbox=place.sandbox,
        planner=RecordedPlanner(recorded.run),
        policy=_recorded_policy(recorded.run),
        replace=recorded.replace,
        log=log,
    )


def boundaries_of(run: Run, needed: int | None) -> list[JsonObject]:
    """Return a run's boundary events, not whole; InputError where `needed` is none of them."""
    found = [event for event in run.events if event["kind"] == "boundary"]
    if needed is not None and needed >= len(found):
        raise InputError(f"{run.folder} has no boundary {needed}: it has {len(found)}, from 0")
    return found


def _recorded_policy(run: Run) -> Policy:
    decisions = {event["boundary"]: event for event in run.of_kind("review_decided")}
    scope: Scope = run.header["policy"]["scope"]
    return Policy(
        scope=scope,
        schedule=At(frozenset(decisions)),
        reviewer=_RecordedReviewer(decisions),
        exceptions={
            boundary: decision["granted"]
            for boundary, decision in decisions.items()
            if decision["granted"] != scope
        },
        fallback=run.header["policy"]["fallback"],
    )


class _RecordedReviewer:
    """Answers as the record says: with an operation, or with the way a review failed."""

    def __init__(self, decisions: dict[int, JsonObject]) -> None:
        self._decisions = decisions

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        """Answer once more as before."""
        decision = self._decisions[boundary.index]
        reason, operation, usage = decision["reason"], decision["operation"], _usage(decision)
        match decision["realized"]:
            case "invalid":
                raise InvalidReviewError(reason, usage)
            case "service":
                raise ReviewServiceError(reason)
            case "rejected" if operation is None:
                raise RejectedError(reason)
        return Review(parse_operation(operation), reason, usage)


class RecordedPlanner:
    """Gives the recorded replies again, or fails as planning did."""

    def __init__(self, run: Run) -> None:
        self._plans = list(run.of_kind("reply_planned", "planner_failed"))

    async def plan(self, goal: str, history: History) -> Plan:
        """Give the reply that follows those in the history."""
        given = sum(entry["kind"] == "reply" for entry in history.entries)
        if given >= len(self._plans):
            text = f"expected {given} replies, got a request for another"
            raise InfrastructureError("replay_divergence", text)
        plan = self._plans[given]
        if plan["kind"] == "planner_failed":
            raise PlannerError(plan["error"], plan["detail"])
        blocks = tuple(Block(block["id"], block["code"]) for block in plan["blocks"])
        return Plan(Reply(blocks, plan["text"]), _usage(plan))


def _usage(event: JsonObject) -> Usage | None:
    """Return a response's usage: whoever served it then, the record serves it now."""
    if "usage" not in event:
        return None
    usage = event["usage"]
    return Usage(Tokens(**usage["tokens"]), usage["served"], reused=True)
