"""A recorded run is rebuilt as it was, and the first thing that is not as recorded is named."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import anyio
import pytest

from controlscope.boundaries import Boundary
from controlscope.canonical import JsonObject
from controlscope.errors import InfrastructureError, InputError, ReviewServiceError
from controlscope.operations import Keep, Operation, PatchArguments, Replace, Scope
from controlscope.roles import EventLog, Review
from controlscope.run_log import Run, read_run
from panels.recorded import find_recorded
from replay.compare import Counts, first_difference
from replay.recorded import Recorded, recorded_episode
from tests.play import DONE, READ_A, READ_B, play
from tests.replay.records import READS_AND_WRITES, command, replayed, tampered, tampered_header

Events: TypeAlias = list[tuple[str, JsonObject]]
CLI = Path(sys.executable).parent / "controlscope"


class Kept:
    """A log that keeps what it is told."""

    def __init__(self) -> None:
        self.events: Events = []

    def event(self, kind: str, **values: Any) -> None:
        self.events.append((kind, values))

    def timing(self, clocks: JsonObject) -> None:
        pass


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    recorded = play(tmp_path_factory.mktemp("run"), [READS_AND_WRITES])[0]
    # The server tells whole seconds: a replay within the same one would have the same raw times.
    time.sleep(1)
    return recorded


@pytest.fixture(scope="module")
def replay(run: Run, tmp_path_factory: pytest.TempPathFactory) -> tuple[Recorded, Events]:
    """Replay the run once, and keep what happened, to be held against other records."""
    scratch = tmp_path_factory.mktemp("replay")
    kept = Kept()

    async def whole() -> Recorded:
        recorded = await find_recorded(run.folder, scratch / "built")
        async with recorded.origin.opened(scratch / "workspace") as place:
            log = recorded.compared(None, kept)
            await recorded_episode(recorded, place, log).run()
        return recorded

    return anyio.run(whole), kept.events


def test_a_whole_run_is_as_recorded_and_its_own_file_times_are_counted_apart(run: Run) -> None:
    counts = replayed(run.folder)
    assert (counts.boundaries, counts.calls, counts.clocked) == (6, 6, 2)
    # copy.txt, done.txt and the folder that they were made in.
    assert counts.written == 3
    assert counts.same_raw == 0


def test_a_prefix_ends_at_its_boundary(run: Run) -> None:
    assert replayed(run.folder, 2) == Counts(boundaries=3, calls=2, clocked=1)
    assert replayed(run.folder, 0) == Counts(boundaries=1)


def _put(*path: Any, value: Any) -> Callable[[JsonObject], None]:
    def change(event: JsonObject) -> None:
        inner: Any = event
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value

    return change


def _swap(field: str, old: str, new: str) -> Callable[[JsonObject], None]:
    def change(event: JsonObject) -> None:
        event[field] = event[field].replace(old, new)

    return change


CALL: JsonObject = {"kind": "call_completed"}
PAUSE: JsonObject = {"kind": "boundary"}


@pytest.mark.parametrize(
    ("which", "change", "where"),
    [
        (CALL | {"index": 2}, _put("observation", value="alpha!\n"), "at call 2: expected obs"),
        (CALL | {"index": 1}, _swap("shown", "2025", "2024"), "at call 1: expected observation"),
        (CALL | {"index": 1}, _swap("observation", "2025", "2024"), "at call 1: expected obs"),
        (CALL | {"index": 4}, _swap("shown", "2026", "2025"), "at call 4: expected observation"),
        (CALL | {"index": 3}, _put("digest", value="0" * 64), "at call 3: expected digest"),
        (CALL | {"index": 3}, _put("is_error", value=True), "at call 3: expected is_error"),
        (
            PAUSE | {"index": 3},
            _put("pending", "arguments", "content", value="beta\n"),
            'at call 3: expected pending.arguments.content "beta\\n", got "alpha\\n"',
        ),
        (PAUSE | {"index": 2}, _put("pending", "tool", value="read_file"), "at call 2: expected"),
        (
            PAUSE | {"index": 4},
            _put("variables", "module", "total", value=7),
            "at call 4: expected variables.module.total 7, got 6",
        ),
        (PAUSE | {"index": 3}, _put("variables", "unexposed", value=["x"]), "at call 3: expected"),
        (PAUSE | {"index": 3}, _put("printed", value="5\n"), "at call 3: expected printed"),
        (PAUSE | {"index": 5}, _put("state_key", value="0" * 64), "at call 5: expected state_key"),
        (
            {"kind": "block_ended"},
            _put("printed", value="5\n"),
            "after call 5: expected printed",
        ),
        ({"kind": "episode_started"}, _put("digest", value="0" * 64), "before call 0: expected"),
        (
            {"kind": "episode_ended"},
            _put("files", "a.txt", "modified", value="2025-01-01T00:00:00+00:00"),
            "at the end: expected files.a.txt.modified",
        ),
        (
            {"kind": "episode_ended"},
            _put("files", "copy.txt", "modified", value="2025-01-01T00:00:00+00:00"),
            "at the end: expected files.copy.txt.modified",
        ),
        ({"kind": "scored"}, _put("success", value=False), "at the end: expected success"),
        ({"kind": "call_started", "index": 5}, _put("kind", value="block_ended"), "at call 5"),
    ],
)
def test_a_tampered_record_is_caught_at_the_right_call(
    replay: tuple[Recorded, Events],
    tmp_path: Path,
    which: JsonObject,
    change: Callable[[JsonObject], None],
    where: str,
) -> None:
    recorded, events = replay
    run = recorded.run
    record = read_run(tampered(run, tmp_path / "run", change, **which))
    comparison = replace(recorded, run=record).compared(None)
    with pytest.raises(InfrastructureError) as caught:
        _tell(comparison, events)
    assert str(caught.value).startswith(f"replay_divergence: {where}")


def _tell(log: EventLog, events: Events) -> None:
    for kind, values in events:
        log.event(kind, **values)


def test_what_is_past_the_boundary_is_not_replayed(run: Run, tmp_path: Path) -> None:
    change = _put("observation", value="alpha!\n")
    folder = tampered(run, tmp_path / "run", change, kind="call_completed", index=2)
    assert replayed(folder, 2).calls == 2
    with pytest.raises(InfrastructureError, match="at call 2"):
        replayed(folder, 3)


class Changeable:
    """Reviews in every way that there is, one after another."""

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        answers: list[Operation | Exception] = [
            PatchArguments({"path": "/workspace/b.txt"}),
            PatchArguments({"path": 7}),
            PatchArguments({"path": float("nan")}),
            ReviewServiceError("overloaded"),
            PatchArguments({"path": "/workspace/a.txt"}),
            Replace(READ_B + "raise KeyError('gone')\n"),
        ]
        number = len(boundary.decisions)
        answer = answers[number] if number < len(answers) else Keep()
        if isinstance(answer, Exception):
            raise answer
        return Review(answer, f"answer {number}")


def test_every_kind_of_review_and_of_failing_block_is_replayed(tmp_path: Path) -> None:
    lost = "import os\ngetattr(os, '_exit')(3)\n"
    program = [[READ_A * 6, READ_B], "x = (\n", lost, "print('x' * 100_000)\n" + DONE]
    run, row = play(tmp_path, program, scope="full", reviewer=f"{__name__}:Changeable")
    assert (row["patches"], row["rejected"], row["no_op"], row["replacements"]) == (1, 2, 1, 1)
    assert (row["fallbacks"]["service"], row["worker_losses"], row["success"]) == (1, 1, True)
    counts = replayed(run.folder)
    assert (counts.boundaries, counts.calls) == (8, row["calls"])
    decision = {"kind": "review_decided", "boundary": 5}
    changed = _put("operation", "code", value=READ_A)
    with pytest.raises(InfrastructureError, match=r"at call 5: expected code"):
        replayed(tampered(run, tmp_path / "tampered", changed, **decision))


def test_a_changed_environment_is_no_longer_the_recorded_one(tmp_path: Path) -> None:
    run, _ = play(tmp_path, [READ_B, DONE])
    environment = tmp_path / "suite" / "small" / "task" / "environment"
    (environment / "a.txt").write_text("changed\n")
    with pytest.raises(InfrastructureError, match=r"before call 0: expected digest"):
        replayed(run.folder, 1)


def test_a_record_is_replayed_with_its_own_budget(tmp_path: Path) -> None:
    run, row = play(tmp_path, [READ_A * 3], budget="calls = 2")
    assert row["ending"] == "calls"
    (tmp_path / "suite" / "small" / "task" / "task.toml").write_text("[budget]\ncalls = 50\n")
    assert replayed(run.folder).calls == 2


def test_what_cannot_be_replayed_is_named(run: Run, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no boundary 6: it has 6, from 0"):
        replayed(run.folder, 6)
    header = tampered_header(run, tmp_path / "no_source", source={"replies": []})
    with pytest.raises(InputError, match=r"run\.json: source\.suite: Field required"):
        replayed(header)
    with pytest.raises(InputError, match="has no task small/other any more"):
        replayed(tampered_header(run, tmp_path / "other", task="small/other"))


def test_the_command_says_what_was_compared_or_where_it_broke(run: Run, tmp_path: Path) -> None:
    done = command("replay", "prefix", run.folder, "--boundary", 2)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("3 boundaries and 2 calls as recorded; 1 observations with")
    assert json.loads(command("replay", "prefix", run.folder, "--json").stdout)["calls"] == 6
    change = _put("observation", value="alpha!\n")
    folder = tampered(run, tmp_path / "run", change, kind="call_completed", index=2)
    broken = subprocess.run(
        [CLI, "replay", "prefix", folder], capture_output=True, text=True, check=False
    )
    assert (broken.returncode, broken.stdout) == (1, "")
    assert broken.stderr == (
        "controlscope: replay_divergence: at call 2:"
        ' expected observation "alpha!\\n", got "alpha\\n"\n'
    )
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.parametrize(
    ("expected", "got", "said"),
    [
        ({"a": [1, 2]}, {"a": (1, 2)}, None),
        ({"a": 1}, {"a": True}, "x.a 1, got true"),
        ({"a": 0.0}, {"a": -0.0}, "x.a 0.0, got -0.0"),
        ({"a": 1}, {}, "x.a, got no x.a"),
        ({}, {"a": 1}, "no x.a, got x.a"),
        ([1], [1, 2], "1 x, got 2"),
        ([1, 3], [1, 2], "x[1] 3, got 2"),
        ("\ud800", "", 'x "\\ud800", got ""'),
        ("a" * 200 + "b", "a" * 200 + "c", f'x "…{"a" * 40}b", got "…{"a" * 40}c"'),
    ],
)
def test_the_first_difference_is_where_two_values_part(
    expected: Any, got: Any, said: str | None
) -> None:
    difference = first_difference(expected, got, "x")
    assert difference == (said if said is None else said.replace("…", "\\u2026"))
