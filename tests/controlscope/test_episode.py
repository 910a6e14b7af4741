import json
from pathlib import Path

import pytest

from controlscope.boundaries import Boundary
from controlscope.errors import InvalidReviewError, ReviewServiceError
from controlscope.operations import Keep, Replace, Scope
from controlscope.roles import Review
from tests.play import calls, play

READ_A = 'print(fs.read_text_file(path="/workspace/a.txt"))\n'
READ_B = 'print(fs.read_text_file(path="/workspace/b.txt"))\n'
DONE = 'fs.write_file(path="/workspace/done.txt", content="yes")\n'


class Failing:
    """A reviewer whose provider, or whose own reply, always fails."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        raise self._error


def invalid() -> Failing:
    return Failing(InvalidReviewError("two operations in one reply"))


def service() -> Failing:
    return Failing(ReviewServiceError("HTTP 400"))


def replace(boundary: int, code: str) -> dict[str, object]:
    return {"boundary": boundary, "operation": "replace", "code": code}


def patch(boundary: int, **arguments: object) -> dict[str, object]:
    return {"boundary": boundary, "operation": "patch", "arguments": arguments}


def test_a_program_runs_reply_by_reply_and_its_final_state_is_scored(tmp_path: Path) -> None:
    run, row = play(tmp_path, [READ_A, DONE])
    assert (row["success"], row["ending"], row["calls"], row["planner_turns"]) == (
        True,
        "finished",
        2,
        2,
    )
    assert [tool for tool, _ in calls(run)] == ["read_text_file", "write_file"]


def test_keep_makes_no_reviews(tmp_path: Path) -> None:
    _, row = play(tmp_path, [READ_A + DONE])
    assert row["reviews"] == 0


def test_call_101_is_never_sent_and_no_except_of_the_program_sees_why(tmp_path: Path) -> None:
    program = (
        "for _ in range(5):\n"
        "    try:\n"
        f"        {READ_A.strip()}\n"
        "    except BaseException:\n"
        f"        {DONE.strip()}\n"
    )
    run, row = play(tmp_path, [program, DONE], budget="calls = 3")
    assert (row["calls"], row["ending"], row["success"]) == (3, "calls", False)
    assert len(list(run.of_kind("boundary"))) == 3


def test_the_budget_is_checked_before_a_review_is_offered(tmp_path: Path) -> None:
    _, row = play(tmp_path, [READ_A * 3], scope="full", reviewer="keep", budget="calls = 2")
    assert (row["calls"], row["reviews"], row["ending"]) == (2, 2, "calls")


def test_tool_errors_and_refused_arguments_count_one_call_each(tmp_path: Path) -> None:
    program = (
        "for arguments in ({'path': '/workspace/none'}, {'file': 'a'}, {'path': '\\ud800'}):\n"
        "    try:\n"
        "        fs.read_text_file(**arguments)\n"
        "    except ToolError as error:\n"
        "        print(error)\n"
    )
    run, row = play(tmp_path, [program])
    assert (row["calls"], row["tool_errors"], row["ending"]) == (3, 3, "finished")
    printed = next(run.of_kind("block_ended"))["printed"]
    assert "unknown argument 'file'" in printed
    assert "lone surrogate" in printed


def test_an_uncaught_error_ends_the_block_cancels_the_queue_and_the_next_reply_runs(
    tmp_path: Path,
) -> None:
    run, row = play(tmp_path, [["raise ValueError('no')", READ_A], DONE])
    assert [event["error"] for event in run.of_kind("block_ended")] == ["user_exception", None]
    assert (row["calls"], row["success"]) == (1, True)


def test_a_planning_turn_is_each_reply_after_the_first_and_its_budget_ends_the_run(
    tmp_path: Path,
) -> None:
    _, row = play(tmp_path, [READ_A, READ_A, DONE], budget="planning_turns = 1")
    assert (row["planner_turns"], row["ending"], row["success"]) == (1, "planning_turns", False)


def test_the_same_patch_has_the_same_effect_under_arg_and_full(tmp_path: Path) -> None:
    rows = {}
    scopes: tuple[Scope, ...] = ("arg", "full")
    for scope in scopes:
        (tmp_path / scope).mkdir()
        run, rows[scope] = play(
            tmp_path / scope,
            [READ_A + DONE],
            scope=scope,
            decisions=[patch(0, path="/workspace/b.txt")],
        )
        assert calls(run)[0] == ("read_text_file", {"path": "/workspace/b.txt"})
        assert next(run.of_kind("block_ended"))["printed"] == "beta\n\n"
    assert rows["arg"]["digest"] == rows["full"]["digest"]
    assert rows["arg"]["state_keys"] == rows["full"]["state_keys"]


def test_a_patch_that_changes_nothing_is_a_no_op_and_an_invalid_one_is_rejected(
    tmp_path: Path,
) -> None:
    run, row = play(
        tmp_path,
        [READ_A + READ_A + READ_A + DONE],
        scope="arg",
        decisions=[
            patch(0, path="/workspace/a.txt"),
            patch(1, path=7),
            patch(2, file="/workspace/b.txt"),
            replace(3, "pass"),
        ],
    )
    assert (row["no_op"], row["rejected"], row["patches"], row["success"]) == (1, 3, 0, True)
    decided = list(run.of_kind("review_decided"))
    assert decided[3]["reason"] == "replace is outside the scope arg"
    assert decided[3]["operation"]["code"] == "pass"
    assert {call[1]["path"] for call in calls(run)[:3]} == {"/workspace/a.txt"}


def test_a_replacement_cancels_the_pending_call_and_the_reply_with_receipts(
    tmp_path: Path,
) -> None:
    run, row = play(
        tmp_path,
        [[READ_A, READ_B], DONE],
        scope="full",
        decisions=[replace(0, "x = 5\nprint('instead')\n")],
    )
    assert [tool for tool, _ in calls(run)] == ["write_file"]
    assert row["replacements"] == 1
    assert next(run.of_kind("continuation_replaced"))["cancelled"] == ["call_01b"]


def test_at_the_boundary_block_the_queued_blocks_still_run(tmp_path: Path) -> None:
    run, _ = play(
        tmp_path,
        [[READ_A, READ_B], DONE],
        scope="full",
        replace="block",
        decisions=[replace(0, "print('instead')\n")],
    )
    assert [tool for tool, _ in calls(run)] == ["read_text_file", "write_file"]


class ReplaceFirst:
    """A reviewer that replaces at the first boundary and remembers what it was shown."""

    seen: list[Boundary]

    def __init__(self) -> None:
        self.seen = []

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        self.seen.append(boundary)
        return Review(Replace("print('instead')\n") if boundary.index == 0 else Keep())


REPLACE_FIRST = ReplaceFirst()


def replace_first() -> ReplaceFirst:
    REPLACE_FIRST.seen = []
    return REPLACE_FIRST


def test_the_planner_is_told_what_ran_in_place_of_the_block(tmp_path: Path) -> None:
    run, _ = play(
        tmp_path,
        [["print('before')\n" + READ_A, READ_B], READ_A, DONE],
        scope="full",
        reviewer="tests.controlscope.test_episode:replace_first",
    )
    ended = next(run.of_kind("block_ended"))
    assert (ended["block"], ended["printed"]) == ("call_01a", "before\ninstead\n")
    _, receipt, result, *_ = REPLACE_FIRST.seen[1].history.entries
    assert (receipt["kind"], receipt["block"]) == ("receipt", "call_01b")
    assert (result["kind"], result["block"]) == ("result", "call_01a")
    assert "print('instead')" in result["content"]
    assert result["content"].endswith("before\ninstead")


def test_variables_survive_a_replacement_and_nothing_of_the_old_block_runs_on(
    tmp_path: Path,
) -> None:
    program = (
        "x = 1\n"
        "try:\n"
        f"    {READ_A.strip()}\n"
        "except BaseException:\n"
        "    x = 2\n"
        "finally:\n"
        "    x = 3\n"
        "x = 4\n"
    )
    run, _ = play(
        tmp_path,
        [program, "print(x)\n" + DONE],
        scope="full",
        decisions=[replace(0, "print(x)\n")],
    )
    assert [event["printed"] for event in run.of_kind("block_ended")] == ["1\n", "1\n"]


def test_a_review_needs_a_completed_call_since_the_last_one(tmp_path: Path) -> None:
    run, row = play(
        tmp_path,
        [READ_A + DONE],
        scope="full",
        decisions=[replace(0, READ_B + DONE), replace(1, READ_B), replace(2, DONE)],
    )
    decided = [event["boundary"] for event in run.of_kind("review_decided")]
    assert decided == [0, 2]
    assert row["success"]


def test_once_gives_one_opportunity_and_a_fallback_consumes_it(tmp_path: Path) -> None:
    run, row = play(
        tmp_path,
        [READ_A + READ_B + DONE],
        scope="full",
        schedule="once:1",
        reviewer="tests.controlscope.test_episode:invalid",
    )
    assert [event["boundary"] for event in run.of_kind("review_decided")] == [1]
    assert (row["reviews"], row["fallbacks"]["invalid"], row["success"]) == (1, 1, True)


@pytest.mark.parametrize("kind", ["invalid", "service"])
def test_a_review_that_fails_is_counted_by_its_kind_and_continues_as_keep(
    tmp_path: Path, kind: str
) -> None:
    _, row = play(
        tmp_path,
        [READ_A + DONE],
        scope="full",
        reviewer=f"tests.controlscope.test_episode:{kind}",
    )
    assert (row["reviews"], row["fallbacks"][kind], row["success"]) == (2, 2, True)


def test_a_lost_worker_costs_its_variables_and_the_next_reply_starts_afresh(
    tmp_path: Path,
) -> None:
    lost = "x = 1\nimport os\ngetattr(os, '_' + 'exit')(3)\n"
    run, row = play(tmp_path, [[lost, READ_A], "print('x' in globals())\n" + DONE])
    assert [event["error"] for event in run.of_kind("worker_lost")] == ["worker_exit"]
    assert [event["printed"] for event in run.of_kind("block_ended")] == ["False\n"]
    assert (row["success"], row["planner_turns"], row["worker_losses"]) == (True, 2, 1)


def test_a_boundary_exposes_the_call_its_place_and_the_variables(tmp_path: Path) -> None:
    program = (
        "names = ['a.txt', 'b.txt']\n"
        "def read(name):\n"
        "    full = '/workspace/' + name\n"
        "    return fs.read_text_file(path=full)\n"
        "texts = {name: read(name) for name in names}\n" + DONE
    )
    run, _ = play(tmp_path, [program])
    first, _, last = run.of_kind("boundary")
    assert first["pending"]["position"][:2] == [4, 11]
    assert first["variables"]["block"] == {"full": "/workspace/a.txt", "name": "a.txt"}
    assert first["variables"]["module"]["names"] == ["a.txt", "b.txt"]
    assert first["site"] == {
        "known": True,
        "module_level": False,
        "straight": False,
        "unique": False,
    }
    assert last["site"]["unique"]
    assert last["variables"]["module"]["texts"] == {"a.txt": "alpha\n", "b.txt": "beta\n"}


def test_two_runs_of_one_plan_agree_in_everything_but_clocks(tmp_path: Path) -> None:
    program = [
        READ_A + DONE + "print(fs.get_file_info(path='/workspace/done.txt'))\n",
        "import time, uuid, random\n"
        "print(time.time(), uuid.uuid4(), random.random(), {'a', 'b'})\n",
    ]
    rows = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        run, row = play(tmp_path / name, program)
        printed = [event["printed"] for event in run.of_kind("block_ended")]
        rows.append(json.dumps([row, printed], sort_keys=True))
    assert rows[0] == rows[1]
