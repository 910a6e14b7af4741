import json
from pathlib import Path

from tests.play import DONE, READ_A, calls, play

UNSTEADY = """import time, uuid, random
class Thing:
    pass
print(Thing(), object(), print_all := lambda: 0, [hash(Thing()) for _ in range(3)])
print(time.time(), uuid.uuid4(), random.random(), {'a', 'b'})
"""


def test_a_program_runs_reply_by_reply_and_its_final_state_is_scored(tmp_path: Path) -> None:
    run, row = play(tmp_path, [READ_A, DONE])
    assert (row["success"], row["ending"], row["calls"], row["planner_turns"]) == (
        True,
        "finished",
        2,
        2,
    )
    assert [tool for tool, _ in calls(run)] == ["read_text_file", "write_file"]


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


def test_a_run_that_a_time_limit_decided_is_flagged(tmp_path: Path) -> None:
    _, row = play(
        tmp_path,
        [READ_A + "import time\ntime.sleep(0.3)\n" + READ_A],
        budget="execution_seconds = 0.2",
    )
    assert (row["ending"], row["time_limited"], row["calls"]) == ("execution_seconds", True, 1)


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
        UNSTEADY,
    ]
    rows = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        run, row = play(tmp_path / name, program)
        printed = [event["printed"] for event in run.of_kind("block_ended")]
        rows.append(json.dumps([row, printed], sort_keys=True))
    assert rows[0] == rows[1]
