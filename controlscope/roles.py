"""The Protocols that the loop is written against; any object that satisfies one will do."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from controlscope.boundaries import Boundary, History, PendingCall, Variables
from controlscope.budgets import Refused, Usage
from controlscope.canonical import JsonObject
from controlscope.errors import BlockErrorKind
from controlscope.operations import Operation, Scope
from controlscope.schedules import Schedule
from controlscope.tasks import Reply
from controlscope.tools import Observation, Tool

__all__ = [
    "BlockEnded",
    "Copied",
    "Environment",
    "EventLog",
    "Fallback",
    "Origin",
    "Over",
    "Paused",
    "Place",
    "Plan",
    "Planner",
    "Policy",
    "Review",
    "Reviewer",
    "Sandbox",
    "Score",
    "Worker",
    "WorkerEvent",
]


@dataclass(frozen=True)
class Paused:
    """The program waits at a tool call; `printed` is the block's output so far.

    `refused` are the calls of the block so far that the worker did not let through to a pause.
    """

    pending: PendingCall
    variables: Variables
    printed: str
    refused: Refused = field(default_factory=Refused)


@dataclass(frozen=True)
class BlockEnded:
    """The block ended and its worker lives: `error` is None, or the kind with a traceback text.

    `plan_error`: no failure of its code, the loop gave it up. `refused` are all calls of the block
    that the worker did not let through to a pause.
    """

    printed: str
    error: BlockErrorKind | Literal["plan_error"] | None = None
    traceback: str = ""
    output_truncated: bool = False
    refused: Refused = field(default_factory=Refused)

    def as_seen(self) -> str:
        """Compose what the planner sees of the block: its output, then its error."""
        error = f"[{self.error}]\n{self.traceback}" if self.error else ""
        parts = [part.rstrip("\n") for part in (self.printed, error) if part]
        return "\n".join(parts) or "(no output)"


WorkerEvent: TypeAlias = Paused | BlockEnded


class Worker(Protocol):
    """One module namespace that runs blocks.

    Each method goes on until the next pause or the block's end. WorkerLostError where the program
    cost us the worker, InfrastructureError where the sandbox is gone.
    """

    async def run(self, code: str) -> WorkerEvent:
        """Start a block."""
        ...

    async def resume(self, observation: Observation) -> WorkerEvent:
        """Let the pending call return this observation (or raise ToolError)."""
        ...

    async def replace(self, code: str) -> WorkerEvent:
        """Abandon the block at its pending call, which never returns, and run `code` instead."""
        ...


class Sandbox(Protocol):
    """An isolated place for workers; one a run."""

    async def worker(self) -> Worker:
        """Start a worker with a fresh, empty namespace; an earlier one of this run is ended."""
        ...


@dataclass(frozen=True)
class Score:
    """A verifier's verdict on the state that a run left, with its one-line reason.

    `counts` are what the verifier counts beside it, by name.
    """

    success: bool
    message: str
    counts: Mapping[str, int] = field(default_factory=dict)


Over: TypeAlias = Literal["now", "after_block"]
"""An episode is over: at once, whatever its program still holds, or when the running block ends."""


class Environment(Protocol):
    """What tool calls act on. Scoring code is never reachable from the worker."""

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The primitive tools by name."""
        ...

    @property
    def over(self) -> Over | None:
        """Whether the environment itself ends the run, by what was called so far."""
        ...

    async def call(self, tool: str, arguments: JsonObject) -> Observation:
        """Make one call; a refused schema or a tool error is an observation too."""
        ...

    async def digest(self) -> str:
        """Return the digest of the state, as shown under the frozen clock."""
        ...

    async def files(self) -> JsonObject:
        """Return the terminal state entry by entry, for comparison with another run."""
        ...

    async def score(self) -> Score:
        """Judge the state as it is."""
        ...


class Place(Protocol):
    """Where one run happens: the environment that it acts on, and the sandbox of its program."""

    @property
    def environment(self) -> Environment:
        """What tool calls act on."""
        ...

    @property
    def sandbox(self) -> Sandbox:
        """Where the program runs."""
        ...

    def copied(self, worker: Worker) -> AbstractAsyncContextManager["Copied"]:
        """Copy the whole state with its paused worker, for one branch; it is gone on leaving.

        This one may not move meanwhile, and can be copied again, as can the copy. CopyRefusedError
        where this machine cannot.
        """
        ...


@dataclass(frozen=True)
class Copied:
    """A copy of a place, its worker, and the pause as that worker tells it itself."""

    place: Place
    worker: Worker
    paused: Paused


class Origin(Protocol):
    """What every run of a task starts from; it stays as it is."""

    def opened(self, workspace: Path) -> AbstractAsyncContextManager[Place]:
        """Open a place in the initial state; `workspace` is a new folder, for its files.

        Enter and leave in one task, of the main thread; on leaving nothing is left running.
        """
        ...

    def shown(self, tool: str, raw: str, is_error: bool) -> str:
        """Return what a program is shown of an answer, under the frozen clock."""
        ...


@dataclass(frozen=True)
class Review:
    """A reviewer's answer: one operation, why, and the model response behind it, if any."""

    operation: Operation
    reason: str = ""
    usage: Usage | None = None


class Reviewer(Protocol):
    """Who decides at a boundary. Sees the public record only."""

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        """Choose an operation; InvalidReviewError or ReviewServiceError where there is none."""
        ...


@dataclass(frozen=True)
class Plan:
    """A planner's answer: the next reply, and the model response behind it, if any."""

    reply: Reply
    usage: Usage | None = None


class Planner(Protocol):
    """Ordinary planning after a reply ends, the same in every condition."""

    async def plan(self, goal: str, history: History) -> Plan:
        """Give the next reply; one without blocks ends the trajectory. PlannerError otherwise."""
        ...


Fallback: TypeAlias = Literal["keep", "plan_error"]
"""What follows a review that is no single parseable operation, or a provider's error.

`keep`: the program goes on. `plan_error`: its reply is given up, and ordinary planning goes on
(paper, section 4)."""


@dataclass(frozen=True)
class Policy:
    """A granted scope, when a review is offered, who reviews, and what follows where none came.

    `exceptions` are boundaries where another scope is granted: the record of a branch may hold
    reviews of its parent's scope.
    """

    scope: Scope
    schedule: Schedule
    reviewer: Reviewer
    exceptions: Mapping[int, Scope] = field(default_factory=dict)
    fallback: Fallback = "keep"

    def scope_at(self, boundary: int) -> Scope:
        """Return the scope that is granted at a boundary."""
        return self.exceptions.get(boundary, self.scope)


class EventLog(Protocol):
    """Where a run writes what happens."""

    def event(self, kind: str, **values: Any) -> None:
        """Take one event."""
        ...

    def timing(self, clocks: JsonObject) -> None:
        """Take the clocks, which stand in no event."""
        ...
