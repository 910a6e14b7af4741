"""Blocks and their requests, overrides while a block runs, and the two contracts they belong to."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from controlscope.budgets import Budget, Contract
from controlscope.canonical import JsonObject
from controlscope.errors import InputError
from controlscope.operations import Scope
from panels.revisions import budget_check, operation_check
from tests.play import DONE, READ_A, READ_B, calls, play

TRIES = """\
for n in range(5):
    try:
        fs.read_text_file(path="/workspace/a.txt")
    except ToolError as error:
        print(n, error)
"""
LOOP = """\
for name in ["a", "b", "a"]:
    text = fs.read_text_file(path=f"/workspace/{name}.txt")
    print(text.strip())
fs.write_file(path="/workspace/done.txt", content="yes")
"""
READ: JsonObject = {"tool": "read_text_file", "line": 2, "column": 11}
WRITE: JsonObject = {"tool": "write_file", "line": 4, "column": 0}
OTHER = "/workspace/b.txt"


def limited(blocks: int = 40, requests: int = 250) -> Budget:
    return Budget(calls=None, planning_turns=None, blocks=blocks, requests_per_block=requests)


def override(site: JsonObject, **arguments: Any) -> JsonObject:
    return {**site, "arguments": arguments}


def edit(boundary: int, *overrides: JsonObject) -> JsonObject:
    return {"boundary": boundary, "operation": "parameters", "overrides": list(overrides)}


def test_over_the_allowance_a_call_is_refused_in_the_program_and_is_no_call(
    tmp_path: Path,
) -> None:
    run, row = play(tmp_path, [TRIES, DONE], limits=limited(requests=3))
    printed, _ = [event["printed"] for event in run.of_kind("block_ended")]
    refusal = "the block's 3 requests are spent; this call was not made"
    assert printed == f"3 {refusal}\n4 {refusal}\n"
    assert (row["calls"], row["success"], row["ending"]) == (4, True, "finished")
    assert row["refused"] == {"unknown": 0, "positional": 0, "quota": 2}
    assert len(list(run.of_kind("boundary"))) == 4
    assert [event["refused"]["quota"] for event in run.of_kind("block_ended")] == [2, 0]
    assert budget_check(run) == {"checked": 4, "equal": 4}


def test_calls_that_never_come_to_a_pause_are_counted_by_block_and_in_the_row(
    tmp_path: Path,
) -> None:
    mistakes = "for look in (lambda: fs.raed, lambda: fs.read_text_file('a')):\n    try:\n"
    mistakes += (
        "        look()\n    except Exception as error:\n        print(type(error).__name__)\n"
    )
    run, row = play(tmp_path, [mistakes + READ_A, mistakes, "fs.list('a')", DONE])
    ends = [event["refused"] for event in run.of_kind("block_ended")]
    assert [(end["unknown"], end["positional"]) for end in ends] == [(1, 1), (1, 1), (1, 0), (0, 0)]
    assert row["refused"] == {"unknown": 3, "positional": 2, "quota": 0}
    assert (row["calls"], row["success"]) == (2, True)


def test_a_boundary_shows_what_is_left_of_the_blocks_and_of_the_blocks_requests(
    tmp_path: Path,
) -> None:
    run, _ = play(tmp_path, [READ_A + READ_B, DONE], limits=limited(2, 3))
    assert [event["remaining"] for event in run.of_kind("boundary")] == [
        {"blocks": 1, "requests": 3},
        {"blocks": 1, "requests": 2},
        {"blocks": 0, "requests": 3},
    ]


@pytest.mark.parametrize("program", [[READ_A, READ_B, DONE], [[READ_A, READ_B, DONE]]])
def test_the_budget_of_blocks_ends_the_run(program: list[Any], tmp_path: Path) -> None:
    run, row = play(tmp_path, program, limits=limited(blocks=2))
    assert (row["ending"], row["success"], row["calls"]) == ("blocks", False, 2)
    assert next(run.of_kind("budget_exhausted"))["budget"] == "blocks"


def test_a_replacement_is_no_block_of_the_budget(tmp_path: Path) -> None:
    _, row = play(
        tmp_path,
        [READ_A, DONE],
        limits=limited(blocks=2),
        scope="full",
        decisions=[{"boundary": 0, "operation": "replace", "code": READ_B}],
    )
    assert (row["ending"], row["success"], row["replacements"]) == ("blocks", True, 1)


@pytest.mark.parametrize(("contract", "made", "refused"), [("v1", 5, 2), ("v2", 3, 4)])
def test_a_replacement_renews_the_allowance_under_v1_and_shares_it_under_v2(
    contract: Contract, made: int, refused: int, tmp_path: Path
) -> None:
    run, row = play(
        tmp_path,
        [TRIES],
        limits=limited(requests=3),
        contract=contract,
        scope="full",
        schedule="once:2",
        replace="block",
        decisions=[{"boundary": 2, "operation": "replace", "code": TRIES}],
    )
    assert (row["calls"], row["refused"]["quota"]) == (made, refused)
    assert budget_check(run)["equal"] == budget_check(run)["checked"]
    # Each contract's count is wrong under the other.
    other = replace(run, header={**run.header, "contract": "v2" if contract == "v1" else "v1"})
    assert budget_check(other)["equal"] < budget_check(other)["checked"]


def test_overrides_hold_at_each_later_call_of_their_site_and_the_log_says_what_they_replaced(
    tmp_path: Path,
) -> None:
    run, row = play(
        tmp_path,
        [LOOP, READ_A],
        contract="v2",
        scope="params",
        decisions=[edit(0, override(READ, head=1, path=OTHER), override(WRITE, content="no"))],
    )
    assert calls(run) == [
        *[("read_text_file", {"head": 1, "path": OTHER})] * 3,
        ("write_file", {"path": "/workspace/done.txt", "content": "no"}),
        ("read_text_file", {"path": "/workspace/a.txt"}),
    ]
    assert [event.get("overridden") for event in run.of_kind("call_started")] == [
        {"head": None, "path": "/workspace/a.txt"},
        {"head": None, "path": OTHER},
        {"head": None, "path": "/workspace/a.txt"},
        {"content": "yes"},
        None,
    ]
    shown = [event["overrides"] for event in run.of_kind("boundary")]
    assert [len(overrides) for overrides in shown] == [0, 2, 2, 2, 0]
    assert (row["parameters"], row["patches"], row["success"]) == (1, 0, True)
    assert operation_check(run) == {"checked": 5, "equal": 5}


def test_a_later_edit_adds_to_an_earlier_one_and_a_replacement_clears_them(
    tmp_path: Path,
) -> None:
    again = 'x = 1\nt = fs.read_text_file(path="/workspace/a.txt")\n' + DONE
    run, _ = play(
        tmp_path,
        [LOOP],
        contract="v2",
        scope="full",
        decisions=[
            edit(0, override(READ, head=1)),
            edit(1, override(READ, path="/workspace/a.txt")),
            {"boundary": 2, "operation": "replace", "code": again},
        ],
    )
    assert calls(run) == [
        ("read_text_file", {"path": "/workspace/a.txt", "head": 1}),
        ("read_text_file", {"path": "/workspace/a.txt", "head": 1}),
        ("read_text_file", {"path": "/workspace/a.txt"}),
        ("write_file", {"path": "/workspace/done.txt", "content": "yes"}),
    ]
    assert operation_check(run)["equal"] == operation_check(run)["checked"]


def test_a_patch_changes_one_call_on_top_of_the_overrides(tmp_path: Path) -> None:
    run, _ = play(
        tmp_path,
        [LOOP],
        contract="v2",
        scope="params",
        decisions=[
            edit(0, override(READ, head=1)),
            {"boundary": 1, "operation": "patch", "arguments": {"path": "/workspace/a.txt"}},
        ],
    )
    paths = [arguments["path"][-5:] for tool, arguments in calls(run) if "head" in arguments]
    assert paths == ["a.txt", "a.txt", "a.txt"]


@pytest.mark.parametrize("contract", [None, "v1"])
def test_outside_v2_an_edit_of_parameters_is_beyond_full(
    contract: Contract | None, tmp_path: Path
) -> None:
    run, row = play(
        tmp_path,
        [LOOP],
        contract=contract,
        scope="full",
        schedule="per_block",
        replace="block",
        decisions=[edit(0, override(READ, head=1))],
    )
    assert (row["rejected"], row["parameters"]) == (1, 0)
    (decided,) = run.of_kind("review_decided")
    assert decided["reason"] == "parameters is outside the scope full"


@pytest.mark.parametrize(
    ("contract", "settings", "reason"),
    [
        (None, {"scope": "params"}, "the scope params needs the contract v2"),
        ("v1", {"scope": "params", "replace": "block"}, "the scope params needs the contract v2"),
        ("v1", {"scope": "full"}, 'replace = "block"'),
        ("v1", {"scope": "full", "replace": "block"}, 'schedule = "per_block"'),
    ],
)
def test_a_policy_that_the_contract_does_not_know_is_refused_before_anything_starts(
    contract: Contract | None, settings: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as refused:
        play(tmp_path, [LOOP], contract=contract, **settings)
    assert reason in str(refused.value)
    assert not (tmp_path / "run").exists()


def test_a_block_reviewed_without_a_call_costs_the_next_block_its_review(tmp_path: Path) -> None:
    run, _ = play(
        tmp_path,
        [READ_A, READ_A + READ_B, READ_A],
        scope="full",
        schedule="per_block",
        replace="block",
        decisions=[{"boundary": 0, "operation": "replace", "code": "print('no call')"}],
    )
    # The second block's first call follows a review without a call in between.
    assert [event["boundary"] for event in run.of_kind("review_decided")] == [0, 3]


def test_a_run_says_its_contract_and_its_budgets(tmp_path: Path) -> None:
    run, _ = play(tmp_path, [DONE], contract="v2", limits=limited())
    assert run.header["contract"] == "v2"
    assert run.header["budgets"] == asdict(limited())


SCOPES: tuple[Scope, ...] = ("params", "full")


def test_one_edit_has_one_effect_under_params_and_full(tmp_path: Path) -> None:
    rows = []
    for scope in SCOPES:
        _, row = play(
            tmp_path / scope,
            [LOOP],
            contract="v2",
            scope=scope,
            schedule="once:0",
            decisions=[edit(0, override(READ, path=OTHER))],
        )
        rows.append(row)
    assert rows[0]["digest"] == rows[1]["digest"]
    assert rows[0]["state_keys"] == rows[1]["state_keys"]
