"""How far one run has come: all that the loop itself knows, so that a run can be gone on with."""

from collections import Counter
from dataclasses import dataclass, field, replace

from controlscope.boundaries import Boundary, History, Remaining
from controlscope.budgets import Ledgers
from controlscope.canonical import JsonObject
from controlscope.clocks import Clocks
from controlscope.continuations import Position, site_of
from controlscope.roles import Environment, Paused
from controlscope.schedules import Moment
from controlscope.tasks import Block, Task

__all__ = ["Parked", "Trajectory"]


@dataclass
class Trajectory:
    """The state of the loop. A copy goes on apart from the trajectory that it was taken of.

    `boundaries` counts those that are past; `reviewed_at_call` and `replaced_at_call` are the
    numbers of calls made at the last review and at the last accepted replacement; `digest` is the
    environment's. `block` is what runs now (`replaced`: in place of the natural block), `queue`
    what its reply still holds, `hits` the earlier pauses of this code by position; `in_block`
    counts the boundaries of the natural block, of what replaced it too.
    """

    ledgers: Ledgers = field(default_factory=Ledgers)
    clocks: Clocks = field(default_factory=Clocks)
    history: History = field(default_factory=History)
    decisions: list[JsonObject] = field(default_factory=list)
    boundaries: int = 0
    reviewed_at_call: int | None = None
    replaced_at_call: int | None = None
    digest: str = ""
    block: Block = field(default=Block("", ""))
    replaced: bool = False
    queue: list[Block] = field(default_factory=list)
    hits: Counter[Position] = field(default_factory=Counter)
    in_block: int = 0

    def copy(self) -> "Trajectory":
        """Return the same state, to be gone on with apart."""
        return replace(
            self,
            ledgers=replace(self.ledgers),
            clocks=self.clocks.copy(),
            decisions=list(self.decisions),
            queue=list(self.queue),
            hits=self.hits.copy(),
        )

    def moment(self, boundary: Boundary) -> Moment:
        """Return what a schedule may look at, at a boundary that was entered."""
        reviews, calls = len(self.decisions), self.ledgers.calls
        return Moment(boundary.index, reviews, calls, self.replaced_at_call, self.in_block == 1)

    @property
    def progress(self) -> bool:
        """Tell whether a call was completed since the last review: without one there is none."""
        return self.reviewed_at_call is None or self.ledgers.calls > self.reviewed_at_call

    def begin(self, block: Block, *, replaced: bool) -> None:
        """Start a natural block, or what runs in place of one."""
        self.block = block
        self.replaced = replaced
        if not replaced:
            self.in_block = 0
        self.hits.clear()

    def end(self, content: str, error: str | None) -> None:
        """Give the block its result, as the planner is to see it."""
        if self.replaced:
            content = (
                "The rest of this block was replaced while it ran. The code that ran instead:\n"
                f"{self.block.code}\n\nWhat the block printed:\n{content}"
            )
        entry = {"kind": "result", "block": self.block.id, "content": content, "error": error}
        self.history += entry

    def cancel_queue(self, why: str) -> None:
        """Give each queued block its receipt, so that the tool-call protocol stays whole."""
        for block in self.queue:
            receipt = f"Cancelled before it ran: {why}."
            self.history += {"kind": "receipt", "block": block.id, "content": receipt}
        self.queue = []

    def boundary(
        self, paused: Paused, task: Task, proxy: str, environment: Environment
    ) -> Boundary:
        """Return the pause as the public record that a reviewer may see."""
        position = paused.pending.position
        budget, ledgers = task.budget, self.ledgers
        return Boundary(
            index=self.boundaries,
            goal=task.instruction,
            proxy=proxy,
            history=self.history,
            block=self.block,
            queued=tuple(self.queue),
            pending=paused.pending,
            site=site_of(self.block.code, position, proxy, self.hits[position]),
            variables=paused.variables,
            printed=paused.printed,
            decisions=tuple(self.decisions),
            tools=environment.tools,
            remaining=Remaining(
                calls=budget.calls - ledgers.calls,
                planning_turns=budget.planning_turns - ledgers.planning_turns,
            ),
            environment=self.digest,
        )

    def enter(self, boundary: Boundary) -> None:
        """Count a boundary as reached."""
        self.boundaries += 1
        self.in_block += 1
        self.hits[boundary.pending.position] += 1


@dataclass(frozen=True)
class Parked:
    """A run that waits at a boundary which it has not entered yet."""

    so_far: Trajectory
    paused: Paused
    boundary: Boundary
