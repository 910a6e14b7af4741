"""What a run's own operations do when they are held fixed."""

import json
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import anyio
import pytest

from controlscope.errors import InputError
from panels.recorded import find_recorded
from replay.diagnostics import Candidate, Retained, candidates, retained, shared_patches
from replay.recorded import Recorded
from tests.play import DONE, READ_A, READ_B, play
from tests.replay.records import command

T = TypeVar("T")


def examined(folder: Path, diagnostic: Callable[[Recorded, Path], Awaitable[T]]) -> T:
    async def whole() -> T:
        recorded = await find_recorded(folder, folder.parent / "built")
        return await diagnostic(recorded, folder.parent / "scratch")

    return anyio.run(whole)


def replacement(boundary: int, code: str) -> dict[str, object]:
    return {"boundary": boundary, "operation": "replace", "code": code}


def patch(boundary: int, **arguments: object) -> dict[str, object]:
    return {"boundary": boundary, "operation": "patch", "arguments": arguments}


def test_each_replacement_is_run_alone_and_goal_and_end_are_told_apart(tmp_path: Path) -> None:
    past_the_budget = DONE + READ_A * 10
    decisions = [
        replacement(0, READ_A + DONE),
        replacement(2, READ_A + past_the_budget),
        replacement(4, READ_B + "raise KeyError(1)\n"),
        # The queued block and the next reply would do it: they are no part of a candidate.
        replacement(6, READ_A + READ_B),
    ]
    run, row = play(
        tmp_path,
        [[READ_A * 9, READ_A], DONE],
        scope="full",
        decisions=decisions,
        budget="calls = 8",
        replace="block",
    )
    assert row["replacements"] == 4
    found = examined(run.folder, candidates)
    missing = "done.txt is missing"
    assert found == [
        Candidate(0, True, True, "finished", 2, "done.txt is there"),
        Candidate(2, True, False, "calls", 8, "done.txt is there"),
        Candidate(4, False, False, "finished", 3, missing),
        Candidate(6, False, True, "finished", 5, missing),
    ]
    done = command("replay", "candidates", run.folder)
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "boundary  goal  block finished  ending    calls",
        "0         yes   yes             finished  2",
        "2         yes   no              calls     8",
        "4         no    no              finished  3",
        "6         no    yes             finished  5",
        "2 of 4 reach the goal, 1 of these finish their block",
    ]


def test_the_first_replacement_is_retained_and_planning_goes_on(tmp_path: Path) -> None:
    decisions = [
        patch(0, path="/workspace/b.txt"),
        replacement(1, READ_A + READ_B),
        replacement(3, READ_B + "while True:\n    " + READ_A),
    ]
    run, row = play(
        tmp_path, [READ_A * 4, DONE], scope="full", decisions=decisions, budget="calls = 9"
    )
    assert (row["patches"], row["replacements"], row["success"]) == (1, 2, False)
    header = run.header
    assert examined(run.folder, retained) == Retained(
        run=header["run"],
        task="small/task",
        program="test",
        condition="full",
        draw=0,
        boundary=1,
        sustained=False,
        sustained_ending="calls",
        retained=True,
        retained_ending="finished",
    )


def test_a_panels_replacing_runs_are_retained_beside_the_sustained_ones(tmp_path: Path) -> None:
    panel = tmp_path / "panel"
    panel.mkdir()
    (panel / "panel.toml").touch()
    for number, decisions in enumerate(([], [replacement(0, READ_B + DONE)])):
        run, _ = play(tmp_path / str(number), [READ_A], scope="full", decisions=decisions)
        shutil.copytree(run.folder, panel / "runs" / str(number))
    shutil.copytree(run.folder, panel / "runs" / "cut.partial")
    done = command("replay", "retain", panel)
    assert done.exit_code == 0
    header, line, summary = done.stdout.splitlines()
    assert header.split()[:2] == ["task", "program"]
    assert line.split()[-3:] == ["passed", "passed", "finished"]
    assert summary == "sustained 1 of 1, retained 1: 0 gained, 0 lost"
    (pair,) = json.loads(command("replay", "retain", panel, "--json").stdout)
    assert pair["boundary"] == 0
    assert sorted(path.name for path in panel.iterdir()) == ["panel.toml", "runs"]
    assert "is no panel" in str(command("replay", "retain", tmp_path).exception)


def test_a_run_without_a_replacement_has_nothing_to_retain(tmp_path: Path) -> None:
    run, _ = play(tmp_path, [READ_A])
    with pytest.raises(InputError, match="has no replacement to retain"):
        examined(run.folder, retained)


def test_a_patch_does_the_same_under_both_labels(tmp_path: Path) -> None:
    decisions = [
        replacement(0, READ_A * 2 + READ_B),
        patch(2, path="/workspace/b.txt"),
        patch(3, path="/workspace/a.txt"),
    ]
    run, row = play(tmp_path, [READ_A, DONE], scope="full", decisions=decisions)
    assert (row["patches"], row["replacements"]) == (2, 1)
    found = examined(run.folder, shared_patches)
    assert [(each.boundary, each.calls, each.success, each.difference) for each in found] == [
        (2, 4, True, None),
        (3, 4, True, None),
    ]
    done = command("replay", "shared-patch", run.folder)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == "2 patches, 2 with equal traces, files and scores"


def test_a_patch_that_does_two_things_is_told_with_exit_1(tmp_path: Path) -> None:
    # An event loop needs the one clock that is not frozen.
    code = (
        READ_A
        + "import time\n"
        + "fs.write_file(path='/workspace/c.txt', content=str(time.monotonic()))\n"
    )
    decisions = [patch(0, path="/workspace/b.txt")]
    run, _ = play(tmp_path, [code], scope="arg", decisions=decisions)
    done = command("replay", "shared-patch", run.folder)
    assert done.exit_code == 1
    assert "differ: effect.calls[1][1].content" in done.stdout
    assert "at call 1" in str(command("replay", "prefix", run.folder).exception)
