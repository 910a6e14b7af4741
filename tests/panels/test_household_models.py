"""The model form of a household panel, with scripted models over a real server."""

import json
from pathlib import Path

from controlscope.run_log import read_run
from tests.households import our_games
from tests.panels.model_panels import command
from tests.reviewers.model_server import Exchange, calls, says, serving

SPEC = Path(__file__).parents[2] / "panels" / "specs" / "alfworld-unseen-model.toml"


def _answer(exchange: Exchange) -> None:
    """Plan one direct action a reply; review with two operations at once, which is none."""
    offered = {tool["function"]["name"] for tool in exchange.asked["tools"]}
    keep = ("keep", {"problem": ""})
    if "run_python" not in offered:
        calls(keep, keep)(exchange)
    elif len(exchange.asked["messages"]) > 6:
        says("Done.")(exchange)
    else:
        calls(("act", {"command": "look"}))(exchange)


def test_a_fast_panel_spends_repairs_on_reviews_that_are_none(tmp_path: Path) -> None:
    task = min(our_games().tasks)
    text = SPEC.read_text().replace('suite = "alfworld-unseen"', 'suite = "alfworld-mini"')
    spec = tmp_path / "spec.toml"
    spec.write_text(text.replace("expects = 134\n", f"tasks = {json.dumps([task])}\n"))
    with serving(_answer) as script:
        done = command(script, "panel", "run", spec, "--out", tmp_path / "out", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    results = (tmp_path / "out" / "results.jsonl").read_text()
    rows = [json.loads(line) for line in results.splitlines()]
    assert {row["condition"] for row in rows} == {"keep", "arg", "full"}
    for row in rows:
        run = read_run(tmp_path / "out" / "runs" / row["run"])
        errors = [event["error"] for event in run.of_kind("block_ended")]
        assert errors.count("plan_error") == row["fallbacks"]["invalid"] == row["reviews"]
        if row["condition"] != "keep":
            assert (row["initial_success"], row["reviews"] > 1) == (False, True)
            # What the planner calls directly is the function that the proxy is.
            assert set(errors) == {"plan_error", None}
            assert "look" in [
                event["arguments"]["command"] for event in run.of_kind("call_started")
            ]
    written = json.dumps(script.requests)
    assert "calls a tool as act(argument=value)" in written
    assert "act(argument=value) calls the tool act" in written
