"""Branches of one recorded state share all before it, and nothing after it."""

import json
from pathlib import Path

import pytest

from controlscope.errors import InfrastructureError, InputError
from controlscope.operations import Keep, PatchArguments, Replace
from controlscope.run_log import Run, read_run
from replay.branch import METHODS, Branch, Method
from tests.play import DONE, READ_A, READ_B, calls, play
from tests.replay.records import (
    READS_AND_WRITES,
    all_branched,
    branched,
    command,
    ending,
    keys,
    replayed,
    tampered,
)

LOOK = (
    "print(fs.list_directory(path='/workspace'))\n"
    "print(fs.get_file_info(path='/workspace/a.txt'))\n"
    "print(fs.read_text_file(path='/workspace/a.txt'))\n"
)


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest) -> Method:
    """Either way to branch: what holds of one holds of the other."""
    chosen: Method = request.param
    return chosen


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play(tmp_path_factory.mktemp("run"), [[READS_AND_WRITES, READ_A], READ_B])[0]


def test_a_kept_branch_ends_as_its_parent_did(run: Run, method: Method, tmp_path: Path) -> None:
    kept = branched(run.folder, Branch(3, Keep()), tmp_path / "kept", method)
    assert keys(kept.folder) == keys(run.folder)
    assert ending(kept) == ending(run)
    assert not (tmp_path / "kept" / "workspace").exists()


def test_a_branch_tells_where_it_comes_from_and_parts_only_at_its_boundary(
    run: Run, method: Method, tmp_path: Path
) -> None:
    operation = PatchArguments({"path": "/workspace/b.txt"})
    patched = branched(run.folder, Branch(2, operation), tmp_path / "patched", method)
    key = keys(run.folder)[2]
    assert patched.header["lineage"] == {
        "parent": run.header["run"],
        "branch_point": {"boundary": 2, "state_key": key},
        "intervention": {"operation": "patch", "arguments": {"path": "/workspace/b.txt"}},
        "schedule": "once:2",
        "method": method,
        "endpoint": "planning",
    }
    assert patched.header["run"] != run.header["run"]
    assert patched.header["policy"]["scope"] == "full"
    assert keys(patched.folder)[:3] == keys(run.folder)[:3]
    assert keys(patched.folder)[3] != keys(run.folder)[3]
    (decision,) = patched.of_kind("review_decided")
    assert (decision["boundary"], decision["realized"]) == (2, "patch")
    assert calls(patched)[2] == ("read_text_file", {"path": "/workspace/b.txt"})
    # The queued block and the next reply follow, as they would have.
    assert [path["path"][-5:] for tool, path in calls(patched)[-2:]] == ["a.txt", "b.txt"]


def test_siblings_never_see_each_other(run: Run, method: Method, tmp_path: Path) -> None:
    loud = (
        "fs.write_file(path='/workspace/a.txt', content='changed')\n"
        "fs.create_directory(path='/workspace/new')\n"
        "total = 7\n"
    )
    wanted = {
        tmp_path / "before": Branch(3, Replace(LOOK)),
        tmp_path / "loud": Branch(3, Replace(loud + LOOK)),
        tmp_path / "after": Branch(3, Replace(LOOK)),
    }
    before, changed, after = all_branched(run.folder, wanted, method)
    assert "[DIR] new" in next(
        event["observation"] for event in changed.of_kind("call_completed") if event["index"] == 5
    )
    assert [event["observation"] for event in before.of_kind("call_completed")][3] == (
        "[FILE] a.txt\n[FILE] b.txt"
    )
    shown = [
        [event.get("shown", event["observation"]) for event in each.of_kind("call_completed")]
        for each in (before, after)
    ]
    assert shown[0] == shown[1]
    assert ending(before) == ending(after)


def test_a_branch_is_a_run_like_any_other_and_can_be_branched_again(
    run: Run, method: Method, tmp_path: Path
) -> None:
    code = READ_B + "x = [1]\n" + READ_A + DONE
    first = branched(run.folder, Branch(3, Replace(code)), tmp_path / "first", method)
    assert replayed(first.folder).calls == len(calls(first))
    second = branched(first.folder, Branch(5, Replace(READ_B)), tmp_path / "second", method)
    assert second.header["lineage"]["parent"] == first.header["run"]
    assert keys(second.folder)[:6] == keys(first.folder)[:6]
    assert [event["boundary"] for event in second.of_kind("review_decided")] == [3, 5]
    assert replayed(second.folder).calls == len(calls(second))


def test_the_scope_of_each_earlier_review_is_replayed(method: Method, tmp_path: Path) -> None:
    patch = {"boundary": 0, "operation": "patch", "arguments": {"path": "/workspace/b.txt"}}
    refused = {"boundary": 1, "operation": "replace", "code": DONE}
    run, _ = play(tmp_path, [READ_A * 3], scope="arg", decisions=[patch, refused])
    first = branched(run.folder, Branch(2, Replace(READ_A + READ_B)), tmp_path / "first", method)
    decisions = list(first.of_kind("review_decided"))
    assert [(each["granted"], each["realized"]) for each in decisions] == [
        ("arg", "patch"),
        ("arg", "rejected"),
        ("full", "replace"),
    ]
    second = branched(first.folder, Branch(4, Keep()), tmp_path / "second", method)
    assert ending(second) == ending(first)


def test_an_operation_that_is_not_valid_there_is_rejected_and_the_branch_keeps(
    run: Run, method: Method, tmp_path: Path
) -> None:
    branch = Branch(2, PatchArguments({"file": "a.txt"}))
    refused = branched(run.folder, branch, tmp_path / "refused", method)
    (decision,) = refused.of_kind("review_decided")
    assert (decision["realized"], ending(refused)) == ("rejected", ending(run))


def test_where_the_protocol_offers_no_review_there_is_no_branch(
    method: Method, tmp_path: Path
) -> None:
    replace = {"boundary": 1, "operation": "replace", "code": READ_B + READ_A}
    run, _ = play(tmp_path, [READ_A * 3], scope="full", decisions=[replace])
    with pytest.raises(InputError, match="boundary 2 follows a review without a call"):
        branched(run.folder, Branch(2, Keep()), tmp_path / "branch", method)
    with pytest.raises(InputError, match="has no boundary 4"):
        branched(run.folder, Branch(4, Keep()), tmp_path / "branch", method)
    assert not list(tmp_path.glob("branch*"))
    assert ending(branched(run.folder, Branch(3, Keep()), tmp_path / "branch", method)) == ending(
        run
    )


def test_a_branch_whose_prefix_diverges_is_never_used(
    run: Run, method: Method, tmp_path: Path
) -> None:
    def change(event: dict[str, object]) -> None:
        event["observation"] = "alpha!\n"

    folder = tampered(run, tmp_path / "run", change, kind="call_completed", index=2)
    with pytest.raises(InfrastructureError, match="at call 2"):
        branched(folder, Branch(4, Keep()), tmp_path / "branch", method)
    assert not (tmp_path / "branch").exists()
    if method == "fork":
        # Its trunk diverged before there was a branch.
        assert not (tmp_path / "branch.partial").exists()
        return
    (failed,) = read_run(tmp_path / "branch.partial").of_kind("infrastructure_failed")
    assert (failed["error"], failed["detail"][:9]) == ("replay_divergence", "at call 2")


def test_the_command_branches_once_for_each_operation(run: Run, tmp_path: Path) -> None:
    files = {
        "keep": {"operation": "keep"},
        "less": {"operation": "replace", "code": DONE},
    }
    options = []
    for name, operation in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(operation))
        options += ["--operation", tmp_path / f"{name}.json"]
    at = ["branch", run.folder, "--boundary", 2, *options, "--out", tmp_path / "out"]
    rows = json.loads(command(*at, "--json").stdout)
    assert [(row["branch"], row["operation"], row["calls"]) for row in rows] == [
        ("keep", "keep", 8),
        ("less", "replace", 4),
    ]
    assert {row["state_key"] for row in rows} == {keys(run.folder)[2]}
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["keep", "less"]
    assert "is not empty" in str(command(*at).exception)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "cannot be read as JSON"),
        ('{"operation": "rewrite"}', "an operation is"),
        ('{"operation": "patch", "arguments": []}', "an operation is"),
    ],
)
def test_an_operation_file_that_holds_none_is_named(
    run: Run, tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(content)
    at = ["branch", run.folder, "--boundary", 2, "--operation", path, "--out", tmp_path / "out"]
    refused = command(*at).exception
    assert isinstance(refused, InputError)
    assert str(refused).startswith(f"{path}: {message}")
    assert "have one name" in str(command(*at, "--operation", path).exception)
    assert not (tmp_path / "out").exists()
