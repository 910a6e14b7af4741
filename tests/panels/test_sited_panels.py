"""Panels whose reviews stand where Keep's run says, through the command."""

import json
from pathlib import Path

import pytest

from controlscope.canonical import JsonObject
from controlscope.run_log import read_run
from tests.panels.model_panels import command, write_tasks
from tests.play import DONE, READ_A
from tests.reviewers.model_server import Exchange, Script, calls, says, serving

READ_B = READ_A.replace("a.txt", "b.txt")
MODELS = """
planner = "model:small"
reviewer = "model:small"
[models.small]
model = "small"
tool_choice = "required"
max_tokens = 100
[conditions.keep]
scope = "keep"
"""


def _panel(folder: Path, top: str, conditions: str, models: str = MODELS) -> Path:
    spec = folder / "spec.toml"
    heading = f'name = "sited"\nsuite = "{folder / "suite"}"\nprograms = ["P1"]\n'
    spec.write_text(heading + top + models + conditions)
    return spec


def _run(script: Script, spec: Path, out: Path) -> JsonObject:
    done = command(script, "panel", "run", spec, "--out", out)
    assert done.returncode == 0, done.stderr
    told = command(script, "panel", "report", out, "--format", "json")
    report: JsonObject = json.loads(told.stdout)
    return report


def _reviewer(exchange: Exchange) -> None:
    """Plan nothing; replace, with another text each time that is asked."""
    offered = {tool["function"]["name"] for tool in exchange.asked["tools"]}
    if "run_python" in offered:
        says("Done.")(exchange)
        return
    number = len(exchange.server.script.requests)
    code = f"# {number}\n{READ_A}{READ_B}"
    calls(("replace_continuation", {"problem": "", "code": code}))(exchange)


def test_both_midpoint_schedules_share_their_first_decision_and_start_at_the_middle(
    tmp_path: Path,
) -> None:
    write_tasks(tmp_path / "suite", 2, READ_A * 5)
    conditions = "".join(
        f'[conditions.{name}]\nscope = "full"\nschedule = "midpoint:{name}"\n'
        for name in ("once", "continuous")
    )
    top = 'share_until = "first_review"\ncontrasts = ["continuous:once"]\n'
    spec, out = _panel(tmp_path, top, conditions), tmp_path / "out"
    with serving(_reviewer) as script:
        report = _run(script, spec, out)
    group = report["groups"][0]
    assert group["eligibility"] == {"candidates": 2, "eligible": 2, "excluded": {}}
    assert [(pair["a"], pair["b"]) for pair in group["paired"]] == [("continuous", "once")]
    assert report["audits"]["shared_reviews"] == {"checked": 2, "equal": 2}
    for run in report["runs"]:
        log = read_run(out / "runs" / run["run"])
        reviewed = [event["boundary"] for event in log.of_kind("review_decided")]
        if run["condition"] == "once":
            assert (run["schedule"], reviewed) == ("once:2", [2])
        if run["condition"] == "continuous":
            assert run["schedule"] == "from:2"
            assert reviewed[0] == 2
            assert len(reviewed) > 1


def test_protection_shares_every_decision_through_the_first_replacement(tmp_path: Path) -> None:
    write_tasks(tmp_path / "suite", 1, READ_A * 3)
    conditions = (
        '[conditions.full]\nscope = "full"\n'
        '[conditions.protected]\nscope = "full"\nschedule = "protected:2"\n'
    )
    top = 'share_until = "first_replacement"\ncontrasts = ["protected:full"]\n'
    spec = _panel(tmp_path, top, conditions)
    with serving(_reviewer) as script:
        report = _run(script, spec, tmp_path / "out")
        unshared = tmp_path / "unshared"
        unshared.mkdir()
        write_tasks(unshared / "suite", 1, READ_A * 3)
        apart = _run(script, _panel(unshared, "", conditions), unshared / "out")
    cells = report["groups"][0]["conditions"]
    assert report["audits"]["shared_reviews"] == {"checked": 1, "equal": 1}
    assert apart["audits"]["shared_reviews"] == {"checked": 0, "equal": 0}
    assert (cells["full"]["activated"], cells["full"]["suppressed"]) == (0, 0)
    assert cells["protected"]["activated"] == 1
    assert cells["protected"]["suppressed"] > 0
    assert cells["protected"]["reviews"] < cells["full"]["reviews"]
    # Without sharing, the provider answers the first review of each condition anew.
    decided = [
        run["decided"]["first_review"] for run in apart["runs"] if run["condition"] != "keep"
    ]
    assert decided[0] != decided[1]


@pytest.fixture(scope="module")
def feedback(tmp_path_factory: pytest.TempPathFactory) -> tuple[JsonObject, list[JsonObject]]:
    """Run both views on an eligible program, and on one that is not; keep the requests."""
    folder = tmp_path_factory.mktemp("feedback")
    write_tasks(folder / "suite", 2, "text = fs.read_text_file(path='/workspace/a.txt')\n" + DONE)
    program = folder / "suite" / "small" / "task2" / "programs" / "p1" / "01.py"
    program.write_text("for n in range(2):\n    " + READ_A)
    conditions = "".join(
        f'[conditions.{view}]\nscope = "full"\nschedule = "feedback"\nview = "{view}"\n'
        for view in ("code_only", "with_feedback")
    )
    spec = _panel(folder, 'contrasts = ["with_feedback:code_only"]\n', conditions)
    with serving(_reviewer) as script:
        report = _run(script, spec, folder / "out")
    return report, [asked for asked in script.requests if len(asked["tools"]) == 3]


def test_a_program_that_is_not_eligible_is_left_out_of_every_condition_and_counted(
    feedback: tuple[JsonObject, list[JsonObject]],
) -> None:
    group = feedback[0]["groups"][0]
    reason = "no unique direct call right after an answer in its block"
    assert group["eligibility"] == {
        "candidates": 2,
        "eligible": 1,
        "excluded": {reason: ["small/task2"]},
    }
    assert {cell["assigned"] for cell in group["conditions"].values()} == {1}
    assert list(group["tasks"]) == ["small/task1"]
    assert group["paired"][0]["n"] == 1


def test_the_code_only_request_holds_nothing_that_the_reply_brought(
    feedback: tuple[JsonObject, list[JsonObject]],
) -> None:
    report, requests = feedback
    assert report["audits"]["view_masks"] == {"checked": 1, "equal": 1}
    texts = [json.dumps(asked["messages"]) for asked in requests]
    blind, seeing = sorted(texts, key=len)
    assert "alpha 1" in seeing
    assert "alpha 1" not in blind
    assert "text = fs.read_text_file" in blind, "its code is shown"
    assert requests[0]["tools"] == requests[1]["tools"]


def test_a_state_that_differs_from_its_record_ends_the_panel_with_exit_1(tmp_path: Path) -> None:
    write_tasks(tmp_path / "suite", 1, READ_A * 2)
    conditions = '[conditions.full]\nscope = "full"\nreviewer = "keep"\n'
    spec = _panel(tmp_path, "", conditions, '[conditions.keep]\nscope = "keep"\n')
    out = tmp_path / "out"
    with serving(says("not asked")) as script:
        assert _run(script, spec, out)["audits"]["state_keys"] == {
            "checked": 1,
            "equal": 1,
            "unexposed": 0,
            "notes": {},
        }
        (audit,) = (out / "audits").iterdir()
        audit.unlink()
        events = out / "runs" / audit.stem / "events.jsonl"
        tampered = events.read_text().replace('"printed":""', '"printed":"x"')
        events.write_text(tampered)
        done = command(script, "panel", "run", spec, "--out", out)
        assert done.returncode == 1
        assert "1 audited states differ: see the report" in done.stderr
        report = command(script, "panel", "report", out).stdout
    assert "states equal as recorded, replayed and forked: 0 of 1" in report
    assert f"audit of {audit.stem}: at call 0: expected printed" in " ".join(report.split())
