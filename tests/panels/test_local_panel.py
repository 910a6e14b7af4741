"""The local experiment without a model, through the command."""

import json
import subprocess
from pathlib import Path

import pytest

from controlscope.canonical import JsonObject
from controlscope.run_log import read_run
from panels.spec import load_panel
from tests.panels.model_panels import CLI, write_tasks
from tests.play import DONE, READ_A

SPECS = Path(__file__).parents[2] / "panels" / "specs"
SPEC = """
name = "local"
suite = "{suite}"
[rows.overeager]
program = "P1"
reviewer = "overeager"
[conditions.keep]
scope = "keep"
[conditions.arg]
scope = "arg"
schedule = "local"
[conditions.full]
scope = "full"
schedule = "local"
"""


def _command(*arguments: object) -> str:
    done = subprocess.run(
        [CLI, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run a panel of an eligible program and one that just misses: one call a block."""
    folder = tmp_path_factory.mktemp("local")
    loop = "for n in range(2):\n    print(n)\n    "
    write_tasks(folder / "suite", 2, loop + READ_A + READ_A + DONE)
    (folder / "suite" / "small" / "task2" / "programs" / "p1" / "01.py").write_text(DONE)
    (folder / "spec.toml").write_text(SPEC.format(suite=folder / "suite"))
    _command("panel", "run", folder / "spec.toml", "--out", folder / "first", "--jobs", 1)
    return folder


def _report(panel: Path) -> JsonObject:
    report: JsonObject = json.loads(_command("panel", "report", panel, "--format", "json"))
    return report


def test_each_branch_gets_one_review_at_the_rules_boundary_and_then_keeps(panel: Path) -> None:
    report = _report(panel / "first")
    reviewed = [run for run in report["runs"] if run["condition"] != "keep"]
    assert [run["condition"] for run in reviewed] == ["arg", "full"]
    for run in reviewed:
        log = read_run(panel / "first" / "runs" / run["run"])
        assert log.header["policy"]["rule"] == "local"
        assert [event["boundary"] for event in log.of_kind("review_requested")] == [1]
    group = report["groups"][0]
    assert group["eligibility"]["excluded"] == {"no block with two calls": ["small/task2"]}
    assert group["paired"][0]["n"] == 1


def test_decisions_are_counted_by_reviewer_and_scope_and_each_is_checked(panel: Path) -> None:
    report = _report(panel / "first")
    none = {"invalid": 0, "service": 0, "no_op": 0, "rejected": 0}
    who = {"reviewer": "overeager", "reviews": 1, **none, "patch": 0, "parameters": 0}
    assert report["decisions"] == [
        {**who, "condition": "arg", "keep": 1, "replace": 0},
        {**who, "condition": "full", "keep": 0, "replace": 1},
    ]
    audits = report["audits"]
    assert audits["operations"] == {"checked": 2, "equal": 2}
    assert audits["prefixes"] == {"checked": 2, "equal": 2}
    assert audits["budgets"]["checked"] == audits["budgets"]["equal"] > 4
    text = " ".join(_command("panel", "report", panel / "first").split())
    assert "reviews that came about as decided: 2 of 2" in text
    assert "Decisions at the boundaries that rules found" in text


def test_other_jobs_and_a_run_that_is_gone_on_with_give_the_same_files(panel: Path) -> None:
    other = panel / "second"
    _command("panel", "run", panel / "spec.toml", "--out", other, "--jobs", 2, "--limit", 1)
    _command("panel", "run", panel / "spec.toml", "--out", other, "--jobs", 2)
    _command("panel", "report", panel / "first")
    _command("panel", "report", other)
    for file in ("results.jsonl", "report/report.json", "report/report.md", "report/report.text"):
        assert (other / file).read_bytes() == (panel / "first" / file).read_bytes()


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("local", 40 + 3 * 2 * 40),
        ("feedback", 40 + 3 * 2 * 40),
        ("local-model", 40 + 2 * 3 * 2 * 40),
        ("feedback-model", 40 + 2 * 40),
        ("workload", 3 * 6),
        ("workload-model", 6 + 2 * 2 * 6),
        ("confirmation", 3 * 6),
        ("confirmation-model", 6 + 2 * 2 * 6),
        ("organization", 3 * 11),
        ("organization-model", 3 * 11),
    ],
)
def test_an_experiment_assigns_what_the_paper_does(name: str, runs: int) -> None:
    panel = load_panel(SPECS / f"{name}.toml")
    assert len(panel.runs) == runs
    assert panel.has_models == name.endswith("-model")
