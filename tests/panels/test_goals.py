"""Goal completion by split, counted by hand on a data root of two splits."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from controlscope.canonical import JsonObject
from panels.goal_sheets import goal_sheets
from panels.goals import goals_of
from panels.spec import Panel, load_panel
from panels.totals import totals_of
from tests.panels.test_appworld_suite import data_root

SPLITS = {
    "test_normal": ["ab_1", "ab_2", "ab_3", "cd_1", "cd_2", "cd_3"],
    "test_challenge": ["ef_1", "ef_2", "ef_3"],
}
SPEC = """
name = "own"
suite = "appworld-test"
replace = "block"
{keys}
{rows}
[conditions.keep]
scope = "keep"
[conditions.full]
scope = "full"
schedule = "per_block"
"""
KEYS = 'planner = "model:it"'
ROWS = """
[models.it]
model = "m"
mode = "fast"
[rows.planned]
program = "planned"
"""
DONE = {
    "keep": {"ab_1", "ab_2", "ab_3", "cd_1", "ef_1"},
    "full": {"ab_1", "ab_3", "cd_1", "cd_2", "cd_3", "ef_1"},
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("APPWORLD_ROOT", str(data_root(tmp_path / "world", SPLITS)))
    return tmp_path


def _panel(folder: Path, keys: str = KEYS, rows: str = ROWS, limit: int | None = None) -> Panel:
    (folder / "own.toml").write_text(SPEC.format(keys=keys, rows=rows))
    return load_panel(folder / "own.toml", limit=limit)


def _rows(panel: Panel, lost: str = "") -> Mapping[str, JsonObject]:
    """Make the row of each run, as far as goal completion reads it."""
    return {
        plan.id: {
            "success": plan.task.id.split("/")[1] in DONE[plan.condition],
            "calls": 10,
            "counts": {"criteria": 4, "failed": 2, "protected_failed": 1},
            "fallbacks": {"invalid": 1, "service": 2},
            "refused": {"unknown": 7, "positional": 7, "quota": 5},
        }
        for plan in panel.runs
        if plan.task.id.split("/")[1] != lost
    }


def test_tasks_and_whole_scenarios_are_counted_apart_in_each_split(root: Path) -> None:
    panel = _panel(root)
    normal, challenge = goals_of(panel, panel.groups[0], _rows(panel))
    assert (normal["split"], normal["tasks"], normal["scenarios"]) == ("test_normal", 6, 2)
    assert normal["conditions"]["keep"] == {
        "scored": 6,
        "tgc": 4,
        "sgc": 1,
        "attempts": 60,
        "protected_failed": 6,
        "fallbacks": 18,
        "quota_rejections": 30,
    }
    full = normal["conditions"]["full"]
    assert (full["tgc"], full["sgc"]) == (5, 1)
    (pair,) = normal["paired"]
    assert (pair["wins"], pair["losses"], pair["n"], pair["clusters"]) == (2, 1, 6, 2)
    assert pair["ci95"] is not None
    assert (challenge["tasks"], challenge["conditions"]["full"]["tgc"]) == (3, 1)
    assert challenge["paired"][0]["ci95"] is None  # One scenario alone.


def test_a_run_without_a_score_is_not_done_and_its_scenario_neither(root: Path) -> None:
    panel = _panel(root)
    normal, _ = goals_of(panel, panel.groups[0], _rows(panel, lost="ab_2"))
    keep = normal["conditions"]["keep"]
    assert (keep["scored"], keep["tgc"], keep["sgc"]) == (5, 3, 0)


def test_a_scenario_with_an_instance_left_out_is_in_no_denominator(root: Path) -> None:
    panel = _panel(root, limit=4)
    (normal,) = goals_of(panel, panel.groups[0], _rows(panel))
    assert (normal["tasks"], normal["scenarios"]) == (4, 1)


def test_the_sheet_has_the_columns_of_the_papers_table(root: Path) -> None:
    panel = _panel(root)
    splits = goals_of(panel, panel.groups[0], _rows(panel))
    group: JsonObject = {"splits": splits, "conditions": panel.spec.conditions}
    goals, counts = goal_sheets({"kind": "model panel", "label": ""}, group)
    title, columns, (normal, challenge) = goals
    assert title == "Goal completion: TGC and SGC of keep, full"
    names = ["split", "tasks", "TGC", "scenarios", "SGC"]
    assert columns == [*names, "full − keep", "won/lost"]
    assert normal[:5] == ["test_normal", "6", "4/5", "2", "50.0 %/50.0 %"]
    assert normal[5].startswith("+16.67 [")
    assert normal[6] == "2/1"
    assert challenge[5:] == ["+0.00 [—]", "0/0"]
    assert ["test_normal: quota rejections", "30", "30"] in counts[2]


def test_of_an_instrument_check_no_rate_and_no_interval_is_told(root: Path) -> None:
    program = root / "sources" / "ab" / "ab_1" / "p1"
    keys = f'programs = ["P1"]\nsources = "{root / "sources"}"\ntasks = ["ab/ab_1"]'
    program.mkdir(parents=True)
    (program / "01.py").write_text("pass\n")
    panel = _panel(root, keys, "")
    splits = goals_of(panel, panel.groups[0], _rows(panel))
    group: JsonObject = {"splits": splits, "conditions": panel.spec.conditions}
    label = "mini world (ours), not AppWorld"
    goals, counts = goal_sheets({"kind": "instrument check", "label": label}, group)
    assert goals[0].startswith(f"Goal completion ({label}): ")
    assert label in counts[0]
    assert goals[2] == [["test_normal", "1", "1/1", "0", "0/0", "—", "0/0"]]


def test_a_report_of_totals_names_no_task_and_no_run() -> None:
    cell = {"eligible": 1, "candidates": 2, "excluded": {"no call": ["ab/ab_1"]}}
    report: JsonObject = {
        "groups": [
            {
                "tasks": {"ab/ab_1": {"keep": "r1"}},
                "eligibility": cell,
                "without_context_limited": {"left_out": ["ab/ab_2"], "success": {"keep": 1}},
                "splits": [{"split": "test_normal", "tasks": 2}],
            }
        ],
        "audits": {"state_keys": {"checked": 1, "equal": 0, "notes": {"r1": "ab_1 differs"}}},
        "infrastructure": [
            {"run": "r1", "condition": "full", "reason": "task_script_failed: ab_1 crashed"}
        ],
        "runs": [{"run": "r1", "task": "ab/ab_1"}],
    }
    shown = totals_of(report)
    assert not {"ab_1", "ab_2", "r1"} & set(json.dumps(shown).replace("/", '"').split('"'))
    assert shown["groups"][0]["eligibility"]["excluded"] == {"no call": ["1 tasks"]}
    assert shown["groups"][0]["splits"] == report["groups"][0]["splits"]
    assert shown["infrastructure"][0]["reason"] == "task_script_failed"
