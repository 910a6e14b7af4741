"""Panels on the mini world, by the command line: real engine, real worker, scripted reviewers."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controlscope.canonical import JsonObject
from panels.cli import app
from panels.spec import load_panel

SPECS = Path(__file__).parents[2] / "panels" / "specs"
LABEL = "mini world (ours), not AppWorld"
SPEC = """
name = "sample"
suite = "appworld-mini"
tasks = ["project/project_1", "coworkers/coworkers_1"]
contract = "v2"
replace = "block"
programs = ["P2"]
reviewer = "heuristic"
[conditions.keep]
scope = "keep"
[conditions.arg]
scope = "arg"
[conditions.full]
scope = "full"
"""


def _run(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory, mini_world: Path) -> Path:
    """Run two tasks' worth of a panel."""
    folder = tmp_path_factory.mktemp("sample")
    (folder / "spec.toml").write_text(SPEC)
    _run("panel", "run", str(folder / "spec.toml"), "--out", str(folder / "out"), "--jobs", "2")
    return folder / "out"


@pytest.fixture(scope="module")
def report(panel: Path) -> JsonObject:
    found: JsonObject = json.loads(_run("panel", "report", str(panel), "--format", "json"))
    return found


def test_each_run_has_an_outcome_of_the_engine(report: JsonObject) -> None:
    runs = {(run["task"], run["condition"]): run for run in report["runs"]}
    assert len(runs) == 6
    assert {run["ending"] for run in runs.values()} == {"completed"}
    assert all(run["counts"]["criteria"] == 3 for run in runs.values())
    # A wrong name of an argument is a replacement's affair, a token that is left out a patch's.
    assert not runs["project/project_1", "arg"]["success"]
    assert runs["project/project_1", "full"]["success"]
    assert runs["coworkers/coworkers_1", "arg"]["success"]
    assert not runs["coworkers/coworkers_1", "keep"]["success"]


def test_all_audits_of_the_panel_hold(report: JsonObject) -> None:
    audits = {name: (found["checked"], found["equal"]) for name, found in report["audits"].items()}
    assert {name for name, (checked, equal) in audits.items() if checked != equal} == set()
    assert audits["operations"][0] > 0
    assert audits["prefixes"][0] > 0


def test_the_label_stands_beside_the_figures_in_every_form(panel: Path, report: JsonObject) -> None:
    assert report["label"] == LABEL
    assert {run["label"] for run in report["runs"]} == {LABEL}
    for form in ("text", "md"):
        shown = _run("panel", "report", str(panel), "--format", form)
        heading = shown.splitlines()[0]
        assert LABEL in heading
        assert "instrument check" in heading
        assert f"Goal completion ({LABEL})" in shown


def test_an_instrument_check_counts_goals_and_infers_nothing(report: JsonObject) -> None:
    (group,) = report["groups"]
    (split,) = group["splits"]
    assert (split["split"], split["tasks"], split["scenarios"]) == ("mini", 2, 0)
    assert {name: cell["tgc"] for name, cell in split["conditions"].items()} == {
        "keep": 0,
        "arg": 1,
        "full": 2,
    }
    assert all(pair["ci95"] is None for pair in split["paired"])


def test_the_fixed_candidates_stand_where_the_program_asks_for_its_pages(mini_world: Path) -> None:
    panel = load_panel(SPECS / "appworld-pagination.toml")
    code = panel.runs[0].program.replies[1].blocks[0].code
    overrides = json.loads((SPECS / "appworld-pagination" / "params.json").read_text())
    for site in overrides[0]["overrides"]:
        line = code.splitlines()[site["line"] - 1]
        assert line[site["column"] :].startswith(f"apis.{site['tool']}(")
    pattern = r"^\w+ = apis\.spotify\.show_song_library\("
    assert len(re.findall(pattern, code, re.MULTILINE)) == len(overrides[0]["overrides"])


@pytest.mark.parametrize(
    ("name", "runs"), [("appworld-mini", 360), ("appworld-local", 360), ("appworld-pagination", 54)]
)
def test_the_panels_of_the_mini_world_assign_every_run(
    mini_world: Path, name: str, runs: int
) -> None:
    assert len(load_panel(SPECS / f"{name}.toml").runs) == runs
