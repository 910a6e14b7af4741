"""What a run's own operations do when they are held fixed (paper, sections 3.3 and 6.2, app. C)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from controlscope.canonical import JsonObject
from controlscope.errors import InputError
from controlscope.operations import Scope, parse_operation
from controlscope.run_log import Run
from replay.branch import Branch
from replay.compare import first_difference
from replay.grow import grow
from replay.recorded import Recorded

__all__ = [
    "Candidate",
    "Edit",
    "Retained",
    "SharedPatch",
    "candidates",
    "decided",
    "retained",
    "shared_patches",
]

Edit: TypeAlias = Literal["patch", "replace"]
_BLOCK_ENDS = {"block_ended", "worker_lost", "budget_exhausted"}


@dataclass(frozen=True)
class Candidate:
    """One replacement, frozen and run alone from its recorded state.

    `goal`: the state that it left passes. `finished`: its block ran to its end without an error;
    a candidate may reach the goal at the budget and not finish. `calls` are the whole run's.
    """

    boundary: int
    goal: bool
    finished: bool
    ending: str
    calls: int
    message: str


@dataclass(frozen=True)
class Retained:
    """A run beside the one in which only its first replacement, at `boundary`, was kept."""

    run: str
    task: str
    program: str
    condition: str
    draw: int
    boundary: int
    sustained: bool
    sustained_ending: str
    retained: bool
    retained_ending: str


@dataclass(frozen=True)
class SharedPatch:
    """One effective patch under both labels; `difference` is None where nothing differs."""

    run: str
    boundary: int
    calls: int
    success: bool
    difference: str | None


async def candidates(recorded: Recorded, scratch: Path) -> list[Candidate]:
    """Run each effective replacement of a run alone: to its block's end or the original budget."""
    branches = [
        _branch(decision, "full", alone=True) for decision in decided(recorded.run, "replace")
    ]
    runs = await _grow(recorded, branches, scratch)
    return [_candidate(branch, run) for branch, run in zip(branches, runs, strict=True)]


def _candidate(branch: Branch, run: Run) -> Candidate:
    *_, last = (event for event in run.events if event["kind"] in _BLOCK_ENDS)
    scored = _last(run, "scored")
    return Candidate(
        boundary=branch.boundary,
        goal=scored["success"],
        finished=last["kind"] == "block_ended" and last["error"] is None,
        ending=_last(run, "episode_ended")["ending"],
        calls=_calls(run),
        message=scored["message"],
    )


async def retained(recorded: Recorded, scratch: Path) -> Retained:
    """Keep a run's first replacement and no later review; earlier patches are of the prefix.

    InputError where the run replaced nothing.
    """
    first = next(decided(recorded.run, "replace"), None)
    if first is None:
        raise InputError(f"{recorded.run.folder} has no replacement to retain")
    branch = _branch(first, first["granted"])
    (run,) = await _grow(recorded, [branch], scratch)
    header = recorded.run.header
    return Retained(
        run=header["run"],
        task=header["task"],
        program=header["program"],
        condition=header["condition"],
        draw=header["seeds"]["draw"],
        boundary=branch.boundary,
        sustained=_last(recorded.run, "scored")["success"],
        sustained_ending=_last(recorded.run, "episode_ended")["ending"],
        retained=_last(run, "scored")["success"],
        retained_ending=_last(run, "episode_ended")["ending"],
    )


async def shared_patches(recorded: Recorded, scratch: Path) -> list[SharedPatch]:
    """Run each effective patch under the labels Arg and Full: one patch has one effect."""
    labels: tuple[Scope, Scope] = ("arg", "full")
    patches = list(decided(recorded.run, "patch"))
    branches = [_branch(decision, label) for decision in patches for label in labels]
    runs = await _grow(recorded, branches, scratch)
    return [
        SharedPatch(
            run=recorded.run.header["run"],
            boundary=decision["boundary"],
            calls=_calls(arg),
            success=_last(arg, "scored")["success"],
            difference=first_difference(_effect(arg), _effect(full), "effect"),
        )
        for decision, arg, full in zip(patches, runs[::2], runs[1::2], strict=True)
    ]


async def _grow(recorded: Recorded, branches: Sequence[Branch], scratch: Path) -> list[Run]:
    wanted = [(branch, scratch / f"branch-{n}") for n, branch in enumerate(branches)]
    return await grow(recorded, wanted, scratch / "trunk")


def decided(run: Run, edit: Edit) -> Iterator[JsonObject]:
    """Yield a run's reviews that really patched, or really replaced."""
    return (event for event in run.of_kind("review_decided") if event["realized"] == edit)


def _branch(decision: JsonObject, scope: Scope, *, alone: bool = False) -> Branch:
    return Branch(decision["boundary"], parse_operation(decision["operation"]), scope, alone)


def _effect(run: Run) -> JsonObject:
    """Return what an operation and all after it did: calls, terminal files, score."""
    ended, scored = _last(run, "episode_ended"), _last(run, "scored")
    return {
        "calls": [
            [
                call["tool"],
                call["arguments"],
                call["is_error"],
                call.get("shown", call["observation"]),
                call["digest"],
            ]
            for call in run.of_kind("call_completed")
        ],
        "ending": ended["ending"],
        "files": ended["files"],
        "score": [scored["success"], scored["message"]],
    }


def _last(run: Run, kind: str) -> JsonObject:
    *_, last = run.of_kind(kind)
    return last


def _calls(run: Run) -> int:
    return sum(event["kind"] == "call_completed" for event in run.events)
