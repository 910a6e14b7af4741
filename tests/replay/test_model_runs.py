"""Runs whose replies and reviews came from a model: replayed without it, gone on with by it."""

import json
from pathlib import Path

from controlscope.run_log import read_run
from tests.play import DONE, READ_A, READ_B, write_suite
from tests.replay.records import command, keys
from tests.reviewers.asking import environment
from tests.reviewers.model_server import Exchange, calls, says, serving

SPEC = """
name = "models"
suite = "{suite}"
programs = ["P1"]
planner = "model:small"
reviewer = "model:small"
[models.small]
model = "small"
tool_choice = "required"
[conditions.keep]
scope = "keep"
[conditions.full]
scope = "full"
"""


def _answer(exchange: Exchange) -> None:
    """Plan one block, which does the task, and end; review with a replacement."""
    asked = exchange.asked
    offered = {tool["function"]["name"] for tool in asked["tools"]}
    if "replace_continuation" in offered:
        reply = calls(("replace_continuation", {"problem": "", "code": READ_B}))
    elif len([message for message in asked["messages"] if message["role"] == "assistant"]) == 1:
        reply = calls(("run_python", {"code": DONE}))
    else:
        reply = says("Done.")
    reply(exchange)


def test_a_models_run_is_replayed_without_the_model_and_gone_on_with_by_it(tmp_path: Path) -> None:
    address = Path(write_suite(tmp_path, {"a.txt": "alpha\n", "b.txt": "beta\n"}))
    (address / "programs" / "p1").mkdir(parents=True)
    (address / "programs" / "p1" / "01.py").write_text(READ_A + READ_B)
    (tmp_path / "spec.toml").write_text(SPEC.format(suite=tmp_path / "suite"))
    (tmp_path / "keep.json").write_text('{"operation": "keep"}')
    panel = tmp_path / "panel"
    with serving(_answer) as script, environment(script.url):
        done = command("panel", "run", tmp_path / "spec.toml", "--out", panel)
        assert done.exit_code == 0, done.output
        runs = [read_run(path.parent) for path in panel.glob("runs/*/run.json")]
        (full,) = [run for run in runs if run.header["condition"] == "full"]
    for run in runs:
        assert command("replay", "prefix", run.folder).exit_code == 0
    (first, _) = json.loads(command("replay", "candidates", full.folder, "--json").stdout)
    assert (first["goal"], first["finished"]) == (False, True)
    with serving(_answer) as script, environment(script.url):
        (pair,) = json.loads(command("replay", "retain", panel, "--json").stdout)
        # What the panel has asked already is answered by its cache, all else by the model.
        at = ["branch", full.folder, "--boundary", 0, "--operation", tmp_path / "keep.json"]
        (row,) = json.loads(command(*at, "--out", tmp_path / "out", "--json").stdout)
    assert (pair["sustained"], pair["retained"]) == (False, True)
    assert (row["success"], row["operation"], row["method"]) == (True, "keep", "fork")
    (kept,) = [run for run in runs if run.header["condition"] == "keep"]
    branch = tmp_path / "out" / "keep"
    assert keys(branch) == keys(kept.folder)
    replies = list(read_run(branch).of_kind("reply_planned"))
    assert [reply["usage"]["reused"] for reply in replies if "usage" in reply] == [True, True]
    moved = tmp_path / "moved"
    full.folder.rename(moved)
    assert command("replay", "prefix", moved).exit_code == 0
    at[1] = moved
    refused = command(*at, "--out", tmp_path / "none").exception
    assert "its panel's requests.sqlite is not around it" in str(refused)
