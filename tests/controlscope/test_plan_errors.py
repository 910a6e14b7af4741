"""A review without an operation can be an error of the plan; an episode can be over early."""

from collections.abc import Mapping
from pathlib import Path

import anyio
import pytest

from controlscope.canonical import JsonObject
from controlscope.episode import Episode, Outcome
from controlscope.roles import Over, Policy, Score
from controlscope.run_log import RunLog
from controlscope.schedules import Never
from controlscope.tasks import Block, Reply, SourceProgram
from controlscope.tools import Observation, Tool
from executors.worker.client import open_sandbox
from panels.suite import find_task
from reviewers.keep import Keep
from reviewers.planner import ScriptedPlanner
from tests.play import DONE, READ_A, READ_B, calls, play, write_suite
from tests.replay.records import replayed

FAILING = [
    ("tests.controlscope.test_reviews:invalid", "invalid"),
    ("tests.controlscope.test_reviews:service", "service"),
]


@pytest.mark.parametrize(("reviewer", "kind"), FAILING)
def test_a_review_without_an_operation_gives_the_plan_up_and_ordinary_planning_goes_on(
    tmp_path: Path, reviewer: str, kind: str
) -> None:
    first = "x = 1\ntry:\n    " + READ_A + "except BaseException:\n    x = 2\nx = 3\n"
    run, row = play(
        tmp_path,
        [[first, READ_B], "print(x)\n" + READ_B, DONE],
        scope="full",
        schedule="once:0",
        reviewer=reviewer,
        fallback="plan_error",
    )
    assert [tool for tool, _ in calls(run)] == ["read_text_file", "write_file"]
    assert calls(run)[0][1] == {"path": "/workspace/b.txt"}
    ends = list(run.of_kind("block_ended"))
    assert [end["error"] for end in ends] == ["plan_error", None, None]
    assert ends[1]["printed"] == "1\nbeta\n\n"
    assert row["fallbacks"][kind] == 1
    assert (row["success"], row["initial_success"], row["repairs"]) == (True, False, 2)
    assert row["operation_check"] == {"checked": 1, "equal": 1}
    assert row["budget_check"]["checked"] == row["budget_check"]["equal"] == 3


def test_a_plan_error_spends_a_planning_turn_and_without_one_left_the_run_ends(
    tmp_path: Path,
) -> None:
    _, row = play(
        tmp_path,
        [READ_A, READ_A, READ_A + READ_A + DONE, DONE],
        scope="arg",
        reviewer=FAILING[0][0],
        fallback="plan_error",
        budget="planning_turns = 2",
    )
    assert (row["ending"], row["success"], row["planner_turns"]) == ("planning_turns", False, 2)
    # The second plan's call comes right after the first review, so that none is offered there.
    assert (row["calls"], row["reviews"]) == (1, 2)


@pytest.mark.parametrize(("reviewer", "kind"), FAILING)
def test_by_default_the_program_goes_on_and_its_success_is_the_initial_plan_s(
    tmp_path: Path, reviewer: str, kind: str
) -> None:
    _, row = play(tmp_path, [READ_A + DONE], scope="full", reviewer=reviewer)
    assert (row["fallbacks"][kind], row["success"], row["initial_success"]) == (2, True, True)
    assert row["operation_check"] == {"checked": 2, "equal": 2}


def test_a_record_with_a_plan_error_is_replayed_as_it_was(tmp_path: Path) -> None:
    run, _ = play(
        tmp_path,
        [[READ_A, READ_B], READ_B, DONE],
        scope="full",
        reviewer=FAILING[0][0],
        schedule="once:0",
        fallback="plan_error",
    )
    counts = replayed(run.folder)
    assert (counts.calls, counts.boundaries) == (2, 3)


class Bell:
    """An environment of one tool; whoever rings its bell has ended the episode."""

    def __init__(self, over: Over) -> None:
        self._over: Over = over
        self.rings = 0

    @property
    def tools(self) -> Mapping[str, Tool]:
        schema: JsonObject = {"type": "object", "properties": {}, "additionalProperties": False}
        return {"ring": Tool("ring", "Ring.", schema, False, frozenset())}

    @property
    def over(self) -> Over | None:
        return self._over if self.rings else None

    async def call(self, tool: str, arguments: JsonObject) -> Observation:
        self.rings += 1
        return Observation("rung", False, "rung")

    async def digest(self) -> str:
        return f"{self.rings:064x}"

    async def files(self) -> JsonObject:
        return {"rings": self.rings}

    async def score(self) -> Score:
        return Score(self.rings > 0, "")


def ring(folder: Path, over: Over, code: str) -> tuple[Outcome, Bell]:
    """Run a program that queues a second block and has a second reply, at the bell."""
    bell = Bell(over)
    replies = tuple(
        Reply(tuple(Block(f"{number}{letter}", code) for letter in "ab")) for number in "12"
    )

    async def run() -> Outcome:
        with RunLog(folder / "run", {}) as log:
            async with open_sandbox("bell", bell.tools) as sandbox:
                episode = Episode(
                    task=find_task(write_suite(folder, {}))[1],
                    proxy="bell",
                    environment=bell,
                    sandbox=sandbox,
                    planner=ScriptedPlanner(SourceProgram("P1", replies)),
                    policy=Policy("keep", Never(), Keep()),
                    replace="reply",
                    log=log,
                )
                return await episode.run()

    return anyio.run(run), bell


TWICE = "try:\n    bell.ring()\nfinally:\n    bell.ring()\n"


def test_an_episode_that_is_over_now_abandons_its_program_at_once(tmp_path: Path) -> None:
    outcome, bell = ring(tmp_path, "now", TWICE)
    assert (outcome.ending, outcome.score.success, bell.rings) == ("completed", True, 1)


@pytest.mark.parametrize("code", [TWICE, TWICE + "raise ValueError\n"])
def test_an_episode_that_is_over_after_its_block_runs_no_other(tmp_path: Path, code: str) -> None:
    outcome, bell = ring(tmp_path, "after_block", code)
    assert (outcome.ending, outcome.ledgers.planning_turns, bell.rings) == ("completed", 0, 2)
