"""Coordinated edits replayed, branched and forked as they were recorded."""

import json
from pathlib import Path

import pytest

from controlscope.canonical import JsonObject
from controlscope.continuations import CallSite
from controlscope.errors import InfrastructureError
from controlscope.operations import EditParameters, Keep
from controlscope.run_log import Run, read_run
from replay.branch import METHODS, Branch
from tests.play import calls, play
from tests.replay.records import all_branched, branched, command, ending, keys, replayed, tampered

LOOP = """\
for name in ["a", "b", "a"]:
    text = fs.read_text_file(path=f"/workspace/{name}.txt")
    print(text.strip())
fs.write_file(path="/workspace/done.txt", content="yes")
"""
READ, WRITE = CallSite("read_text_file", 2, 11), CallSite("write_file", 4, 0)
OTHER = "/workspace/b.txt"
EDIT = EditParameters({READ: {"path": OTHER, "head": 1}, WRITE: {"content": "no"}})


def _entry(site: CallSite, **arguments: object) -> JsonObject:
    return {**site._asdict(), "arguments": arguments}


def _edited(folder: Path) -> Run:
    """Record a run whose first call is reviewed with an edit, and its second with another."""
    run, _ = play(
        folder,
        [LOOP],
        contract="v2",
        scope="params",
        decisions=[
            {"boundary": 0, "operation": "parameters", "overrides": [_entry(READ, head=1)]},
            {"boundary": 1, "operation": "parameters", "overrides": [_entry(READ, path=OTHER)]},
        ],
    )
    return run


def test_a_run_with_edits_is_replayed_to_its_end(tmp_path: Path) -> None:
    run = _edited(tmp_path)
    assert (replayed(run.folder).calls, replayed(run.folder, 2).boundaries) == (4, 3)


def test_a_record_with_other_overrides_is_no_record_of_this_run(tmp_path: Path) -> None:
    run = _edited(tmp_path)

    def change(event: JsonObject) -> None:
        event["overrides"][0]["arguments"]["head"] = 2

    folder = tampered(run, tmp_path / "tampered", change, kind="boundary", index=2)
    with pytest.raises(InfrastructureError, match="overrides"):
        replayed(folder)


def test_forked_and_replayed_branches_of_an_edit_are_equal(tmp_path: Path) -> None:
    run, _ = play(tmp_path, [LOOP], contract="v2")
    wanted = Branch(1, EDIT, "params")
    forked, kept = all_branched(
        run.folder,
        {tmp_path / "fork": wanted, tmp_path / "keep": Branch(1, Keep())},
        "fork",
    )
    again = branched(run.folder, wanted, tmp_path / "replay")
    assert forked.header["lineage"]["method"] == "fork"
    assert keys(forked.folder) == keys(again.folder) != keys(kept.folder)
    assert ending(forked) == ending(again) != ending(kept)
    assert [arguments.get("head") for _, arguments in calls(forked)] == [None, 1, 1, None]
    assert calls(kept) == calls(run)


def test_a_branch_from_within_an_edit_goes_on_with_its_overrides(tmp_path: Path) -> None:
    run = _edited(tmp_path)
    for method in METHODS:
        (branch,) = all_branched(run.folder, {tmp_path / method: Branch(2, Keep())}, method)
        assert calls(branch) == calls(run)
        assert keys(branch.folder) == keys(run.folder)


def test_the_command_branches_by_an_edit_and_says_where_one_is_refused(tmp_path: Path) -> None:
    run, _ = play(tmp_path, [LOOP], contract="v2")
    for name, site in (("edit", WRITE), ("past", CallSite("write_file", 9, 0))):
        document = {"operation": "parameters", "overrides": [_entry(site, content="no")]}
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    done = command(
        *("branch", run.folder, "--boundary", 0, "--out", tmp_path / "out", "--json"),
        *("--operation", tmp_path / "edit.json", "--operation", tmp_path / "past.json"),
    )
    edit, past = json.loads(done.output)
    assert (edit["operation"], past["operation"]) == ("parameters", "rejected")
    assert past["reason"] == ("line 9, column 0 is no call of write_file in the rest of the block")
    shown = command("show", tmp_path / "out" / "edit", "--boundary", 0).output
    assert '+line 4, column 0: write_file content = "no"' in shown
    assert calls(read_run(tmp_path / "out" / "edit"))[-1][1]["content"] == "no"
