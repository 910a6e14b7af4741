"""Panels of household games, really run on the engine."""

import shutil
from pathlib import Path

import anyio
import pytest
from typer.testing import CliRunner

from controlscope.roles import Fallback
from controlscope.tasks import Task
from panels.cli import app
from panels.folder import PanelFolder
from panels.report import report_of
from panels.runner import run_panel
from panels.spec import load_panel
from tests.households import our_games
from tests.play import play_task
from tests.replay.records import replayed

SPECS = Path(__file__).parents[2] / "panels" / "specs"


def _task(kind: str) -> Task:
    """Return one of our games, the first of its type."""
    tasks = our_games().tasks.values()
    return next(task for task in tasks if f"/{kind}-" in task.id)


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Run one game of the offline panel of ours, with its second program; return spec and panel."""
    root = tmp_path_factory.mktemp("household")
    task = _task("look_at_obj_in_light")
    text = (SPECS / "alfworld-mini.toml").read_text().replace("expects = 48\n", "")
    head, _, rows = text.partition("[rows.P1]")
    _, _, conditions = rows.partition("[conditions.keep]")
    spec = root / "panel.toml"
    spec.write_text(
        f'{head}tasks = ["{task.id}"]\nprograms = ["P2"]\n[conditions.keep]{conditions}'
    )
    anyio.run(run_panel, load_panel(spec), root / "out", 2, lambda plan, error: None)
    return spec, root / "out"


def test_initial_success_stands_apart_from_success_after_recovery(
    panel: tuple[Path, Path],
) -> None:
    spec, out = panel
    report = report_of(load_panel(spec), PanelFolder(out))
    (group,) = report["groups"]
    keep = group["effort"]["keep"]
    # The plan takes a lamp for something to examine with; the first repair uses it.
    assert (keep["initial_success"], keep["success"], keep["repairs"]) == (0, 1, 1)
    assert keep["completed_at"] == [keep["actions"]]
    assert report["audits"]["state_keys"]["checked"] > 0
    for audit in report["audits"].values():
        assert audit["checked"] == audit["equal"]
    assert {run["ending"] for run in report["runs"]} == {"completed"}


def test_the_report_is_headed_as_ours_and_its_figure_is_written_once_and_for_all(
    panel: tuple[Path, Path], tmp_path: Path
) -> None:
    _, out = panel
    again = tmp_path / "again"
    shutil.copytree(out, again)
    drawn = []
    for folder in (out, again):
        done = CliRunner().invoke(app, ["panel", "report", str(folder), "--format", "text"])
        assert done.exit_code == 0, done.output
        assert "household games (ours), not ALFWorld" in " ".join(done.output.split())
        drawn.append((folder / "report" / "effort-P2.svg").read_bytes())
    assert drawn[0] == drawn[1]
    text = (out / "report" / "report.md").read_text()
    assert "%" not in text


@pytest.mark.parametrize("fallback", ["keep", "plan_error"])
def test_a_review_that_fails_uses_a_repair_where_it_is_an_error_of_the_plan(
    fallback: Fallback, tmp_path: Path
) -> None:
    task = _task("look_at_obj_in_light")
    run, row = play_task(
        tmp_path,
        f"alfworld-mini/{task.id}",
        task.programs["P2"],
        scope="full",
        reviewer="tests.controlscope.test_reviews:invalid",
        fallback=fallback,
    )
    errors = [event["error"] for event in run.of_kind("block_ended")]
    assert ("plan_error" in errors) == (fallback == "plan_error")
    assert row["initial_success"] is False
    assert row["operation_check"]["checked"] == row["operation_check"]["equal"] > 0
    assert row["planner_turns"] <= task.budget.planning_turns == 5
    counts = replayed(run.folder)
    assert counts.calls == row["calls"]
