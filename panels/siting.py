"""Reviews whose place follows from the source trajectory: the recorded Keep run of the program.

A rule says at which boundary of that run the one review, or the first, is offered, or why the
program is not eligible. It is fixed before any reviewed run (protocol; paper, sections 5.4 and 6.2,
appendices A.3 and B.1).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from controlscope.canonical import JsonObject
from controlscope.run_log import Run
from controlscope.schedules import From, Once, Schedule

__all__ = ["RULES", "Ineligible", "Sited"]


@dataclass(frozen=True)
class Ineligible:
    """Why a program has no boundary under a rule."""

    reason: str


_Rule: TypeAlias = Callable[[Run], int | Ineligible]


@dataclass(frozen=True)
class Sited:
    """A schedule by a rule, which becomes one at a boundary once the Keep run is recorded."""

    name: str
    rule: _Rule
    schedule: Callable[[int], Schedule]

    @property
    def once(self) -> bool:
        """Whether there is one review at most."""
        return self.schedule is Once

    def sited(self, keep: Run) -> Schedule | Ineligible:
        """Return the schedule at the boundary that the rule finds."""
        found = self.rule(keep)
        return found if isinstance(found, Ineligible) else self.schedule(found)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class _Stop:
    """A boundary of a record: the block that ran, and the last call before it in that block."""

    index: int
    boundary: JsonObject
    before: JsonObject | None


def _midpoint(keep: Run) -> int | Ineligible:
    """Return the boundary before call ⌊N/2⌋ + 1, where N are all calls of the trajectory."""
    calls = sum(1 for _ in keep.of_kind("call_completed"))
    return calls // 2 if calls else Ineligible("no call")


def _local(keep: Run) -> int | Ineligible:
    """Return the first supported boundary after a call of its own block.

    The block is the earliest with two executed calls of which one can change the environment, else
    the earliest with two. Supported: at module level, and every variable has a JSON form.
    """
    read_only = _read_only(keep)
    blocks: list[list[_Stop]] = []
    writers: list[list[_Stop]] = []
    for stops, tools in _blocks(keep):
        if len(tools) > 1:
            blocks.append(stops)
            if set(tools) - read_only:
                writers.append(stops)
    if not blocks:
        return Ineligible("no block with two calls")
    for stop in (writers or blocks)[0]:
        boundary = stop.boundary
        if stop.before is None or not boundary["site"]["module_level"]:
            continue
        if not keep.whole(boundary["variables"])["unexposed"]:
            return stop.index
    return Ineligible("no boundary at module level with variables that have a JSON form")


def _feedback(keep: Run) -> int | Ineligible:
    """Return the first boundary right after an answer of a tool that only reads.

    In the same block, the answer no error, and the pending call a unique direct call site outside
    control flow.
    """
    read_only = _read_only(keep)
    for stops, _ in _blocks(keep):
        for stop in stops:
            before = stop.before
            if before is None or before["is_error"] or before["tool"] not in read_only:
                continue
            if stop.boundary["site"]["unique"]:
                return stop.index
    return Ineligible("no unique direct call right after an answer in its block")


def _read_only(keep: Run) -> set[str]:
    return set(next(keep.of_kind("episode_started"))["read_only"])


def _blocks(keep: Run) -> Iterator[tuple[list[_Stop], list[str]]]:
    """Yield each block that a trajectory ran: its boundaries, and the tools of its calls."""
    stops: list[_Stop] = []
    tools: list[str] = []
    before: JsonObject | None = None
    # The events as they are stored: whole, they would hold each state's variables.
    for event in keep.events:
        match event["kind"]:
            case "boundary":
                stops.append(_Stop(event["index"], event, before))
            case "call_completed":
                before = event
                tools.append(event["tool"])
            case "block_started" | "episode_ended":
                yield stops, tools
                stops, tools, before = [], [], None


RULES: Mapping[str, Sited] = {
    sited.name: sited
    for sited in (
        Sited("local", _local, Once),
        Sited("feedback", _feedback, Once),
        Sited("midpoint:once", _midpoint, Once),
        Sited("midpoint:continuous", _midpoint, From),
    )
}
