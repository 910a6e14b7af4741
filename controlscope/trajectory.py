"""How far one run has come: all that the loop itself knows, so that a run can be gone on with."""

from collections import Counter
from dataclasses import dataclass, field, replace

from controlscope.boundaries import Boundary, History, PendingCall, Remaining
from controlscope.budgets import Ledgers, Refused
from controlscope.canonical import JsonObject
from controlscope.clocks import Clocks
from controlscope.continuations import CallSite, Position, site_of
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
    counts the boundaries of the natural block, of what replaced it too. `overrides` are in force
    for the rest of what runs. `refused` are calls of earlier blocks, `refused_in_block` of the
    natural block.
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
    overrides: dict[CallSite, JsonObject] = field(default_factory=dict)
    refused: Refused = field(default_factory=Refused)
    refused_in_block: Refused = field(default_factory=Refused)

    def copy(self) -> "Trajectory":
        """Return the same state, to be gone on with apart."""
        return replace(
            self,
            ledgers=replace(self.ledgers),
            clocks=self.clocks.copy(),
            decisions=list(self.decisions),
            queue=list(self.queue),
            hits=self.hits.copy(),
            overrides=dict(self.overrides),
        )

    def moment(self, boundary: Boundary) -> Moment:
        """Return what a schedule may look at, at a boundary that was entered."""
        reviews, calls = len(self.decisions), self.ledgers.calls
        return Moment(boundary.index, reviews, calls, self.replaced_at_call, self.in_block == 1)

    @property
    def progress(self) -> bool:
        """Tell whether a call was completed since the last review: without one there is none."""
        return self.reviewed_at_call is None or self.ledgers.calls > self.reviewed_at_call

    def begin(self, block: Block) -> None:
        """Start a natural block, with an allowance of requests of its own."""
        self._start(block, replaced=False)
        self.ledgers.blocks += 1
        self.ledgers.requests = 0
        self.in_block = 0
        self.refused += self.refused_in_block
        self.refused_in_block = Refused()

    def replace_rest(self, code: str, *, queue: bool, renews: bool) -> list[str]:
        """Start what runs in place of the block's rest and, with `queue`, of the queued blocks.

        Return the ids of those. `renews`: it has a new allowance of requests.
        """
        cancelled = [block.id for block in self.queue] if queue else []
        if cancelled:
            self.cancel_queue("the unfinished reply was replaced")
        self._start(Block(self.block.id, code), replaced=True)
        self.replaced_at_call = self.ledgers.calls
        if renews:
            self.ledgers.requests = 0
        return cancelled

    def _start(self, block: Block, *, replaced: bool) -> None:
        self.block = block
        self.replaced = replaced
        self.hits.clear()
        self.overrides = {}

    def heard(self, refused: Refused) -> None:
        """Take over what the worker counts in the block; the quota's refusals are our own."""
        self.refused_in_block = replace(refused, quota=self.refused_in_block.quota)

    def over_quota(self) -> None:
        """Count a call that the block's allowance did not let through."""
        self.refused_in_block += Refused(quota=1)

    def end(self, content: str, error: str | None) -> None:
        """Give the block its result, as the planner is to see it."""
        if self.replaced:
            content = (
                "The rest of this block was replaced while it ran. The code that ran instead:\n"
                f"{self.block.code}\n\nWhat the block printed:\n{content}"
            )
        entry = {"kind": "result", "block": self.block.id, "content": content, "error": error}
        self.history += entry

    def lose(self, error: str, detail: str) -> None:
        """Give the block its result where it cost us the worker."""
        gone = "All variables are gone; the next block starts with an empty namespace."
        self.end(f"[{error}] The Python worker was lost ({detail}). {gone}", error)

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
        pending = self.overridden(paused.pending)
        position, ledgers, budget = pending.position, self.ledgers, task.budget
        return Boundary(
            index=self.boundaries,
            goal=task.instruction,
            proxy=proxy,
            history=self.history,
            block=self.block,
            queued=tuple(self.queue),
            pending=pending,
            site=site_of(self.block.code, position, proxy, self.hits[position]),
            variables=paused.variables,
            printed=paused.printed,
            decisions=tuple(self.decisions),
            tools=environment.tools,
            remaining=Remaining(
                calls=_left(budget.calls, ledgers.calls),
                planning_turns=_left(budget.planning_turns, ledgers.planning_turns),
                blocks=_left(budget.blocks, ledgers.blocks),
                requests=_left(budget.requests_per_block, ledgers.requests),
            ),
            environment=self.digest,
            contract=task.contract,
            overrides=dict(self.overrides),
        )

    def overridden(self, pending: PendingCall) -> PendingCall:
        """Return a call with the overrides that are in force at its site."""
        arguments = {**pending.arguments, **self.overrides.get(pending.site, {})}
        return replace(pending, arguments=arguments)

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


def _left(limit: int | None, spent: int) -> int | None:
    return None if limit is None else limit - spent
