"""A panel's report, from a small panel that is really run."""

import json
from pathlib import Path

import anyio
import pytest

from controlscope.canonical import JsonObject
from controlscope.run_log import read_run
from panels import show, tables
from panels.folder import PanelFolder
from panels.report import report_of
from panels.runner import run_panel
from panels.spec import load_panel
from tests.play import DONE, READ_A, write_suite

LOST = "print(fs.read_text_file(path='/workspace/missing.txt'))\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run a panel: P1 fails unless its rest is replaced, P2 passes unless its call is patched."""
    root = tmp_path_factory.mktemp("panel")
    address = Path(write_suite(root, {"a.txt": "alpha\n"}))
    for name, code in (("p1", READ_A + LOST), ("p2", READ_A + DONE)):
        (address / "programs" / name).mkdir(parents=True)
        (address / "programs" / name / "01.py").write_text(code)
    patch = {"boundary": 0, "operation": "patch", "arguments": {"path": "/workspace/none.txt"}}
    replace = {"boundary": 1, "operation": "replace", "code": DONE}
    (root / "arg.json").write_text(json.dumps([patch]))
    (root / "full.json").write_text(json.dumps([replace]))
    (root / "panel.toml").write_text(
        f'name = "small"\nsuite = "{root / "suite"}"\n[conditions.keep]\nscope = "keep"\n'
        f'[conditions.arg]\nscope = "arg"\nreviewer = "frozen:{root / "arg.json"}"\n'
        f'[conditions.full]\nscope = "full"\nreviewer = "frozen:{root / "full.json"}"\n'
    )
    panel = load_panel(root / "panel.toml")
    anyio.run(run_panel, panel, root / "out", 2, lambda plan, error: None)
    return root


@pytest.fixture
def report(folder: Path) -> JsonObject:
    panel = load_panel(folder / "panel.toml")
    return report_of(panel, PanelFolder(folder / "out"))


def test_programs_are_groups_of_their_own_and_never_pooled(report: JsonObject) -> None:
    assert [group["program"] for group in report["groups"]] == ["P1", "P2"]
    assert report["kind"] == "instrument check"
    first, second = (group["conditions"] for group in report["groups"])
    assert [first[name]["success"] for name in ("keep", "arg", "full")] == [0, 0, 1]
    assert [second[name]["success"] for name in ("keep", "arg", "full")] == [1, 0, 1]
    assert all(cell["assigned"] == cell["scored"] == 1 for cell in first.values())


def test_operations_and_reviews_are_counted_by_what_they_really_were(report: JsonObject) -> None:
    cells = report["groups"][1]["conditions"]
    assert (cells["keep"]["reviews"], cells["keep"]["patches"]) == (0, 0)
    assert (cells["arg"]["reviews"], cells["arg"]["patches"]) == (1, 1)
    # The replacement is what would have run anyway.
    assert (cells["full"]["replacements"], cells["full"]["no_op"]) == (0, 1)


def test_wins_and_losses_are_counted_against_the_other_condition(report: JsonObject) -> None:
    pairs = {(pair["a"], pair["b"]): pair for pair in report["groups"][1]["paired"]}
    assert set(pairs) == {("full", "keep"), ("arg", "keep"), ("full", "arg")}
    lost = pairs["arg", "keep"]
    assert (lost["wins"], lost["losses"], lost["ties"], lost["n"]) == (0, 1, 0, 1)
    assert lost["difference"] == -1.0
    won = pairs["full", "arg"]
    assert (won["wins"], won["losses"]) == (1, 0)


def test_an_instrument_check_infers_nothing(report: JsonObject) -> None:
    pairs = [pair for group in report["groups"] for pair in group["paired"]]
    assert {(pair["mcnemar_p"], pair["ci95"]) for pair in pairs} == {(None, None)}
    text = tables.forms(report)["text"]
    assert "instrument check" in text
    assert not any(word in text for word in ("%", "p =", "interval"))


def test_the_audit_notices_a_run_that_left_keeps_states(folder: Path, report: JsonObject) -> None:
    assert report["audits"]["prefixes"] == {"checked": 4, "equal": 4}
    assert report["audits"]["first_inputs"] == {"checked": 4, "equal": 4}
    panel = load_panel(folder / "panel.toml")
    plan = next(plan for plan in panel.runs if plan.condition == "full")
    events = PanelFolder(folder / "out").run(plan) / "events.jsonl"
    original = events.read_text()
    lines = original.splitlines(keepends=True)
    at = [number for number, line in enumerate(lines) if '"kind":"boundary"' in line][1]
    altered = json.loads(lines[at])
    altered["state_key"] = "0" * 64
    lines[at] = json.dumps(altered) + "\n"
    try:
        events.write_text("".join(lines))
        audits = report_of(panel, PanelFolder(folder / "out"))["audits"]
    finally:
        events.write_text(original)
    assert audits["prefixes"] == {"checked": 4, "equal": 3}
    assert audits["first_inputs"] == {"checked": 4, "equal": 4}


def test_each_form_of_the_report_tells_the_same_counts(report: JsonObject) -> None:
    forms = tables.forms(report)
    assert json.loads(forms["json"]) == report
    assert "| success | 0 of 1 | 0 of 1 | 1 of 1 |" in forms["md"]
    assert "failed 2" in forms["md"]
    assert "passed 2 1R" in forms["md"]


def test_tasks_of_which_no_run_is_scored_are_counted_and_not_listed(report: JsonObject) -> None:
    whole = tables.forms(report)["md"]
    assert "none with a scored run" not in whole
    tasks = report["groups"][0]["tasks"]
    (scored,) = tasks.values()
    tasks |= {name: dict.fromkeys(scored) for name in ("later/one", "later/two")}
    found = tables.forms(report)["md"]
    assert "later/" not in found
    assert "| 2 more, none with a scored run | — | — | — |" in found
    assert len(found.splitlines()) == len(whole.splitlines()) + 1


def test_the_first_decision_of_a_panel_is_shown_with_what_followed(
    folder: Path, report: JsonObject
) -> None:
    plan = next(run for run in report["runs"] if run["replacements"])
    run = read_run(folder / "out" / "runs" / plan["run"])
    document = show.document(run, 1)
    assert document["decision"]["realized"] == "replace"
    assert document["decision"]["operation"]["code"] == DONE
    assert document["followed"][0].startswith("call 1: write_file")
    assert document["followed"][-1] == "scored: passed"
    assert document["call"] is None


def test_edits_of_parameters_and_refused_calls_stand_in_the_tables_where_there_are_any(
    report: JsonObject,
) -> None:
    plain = tables.forms(report)
    cell = report["groups"][0]["conditions"]["full"]
    assert (cell["parameters"], cell["refused"]) == (0, {"unknown": 0, "positional": 0, "quota": 0})
    cell["parameters"] = 2
    cell["refused"] = {"unknown": 3, "positional": 0, "quota": 4}
    (run,) = [run for run in report["runs"] if (run["program"], run["condition"]) == ("P1", "full")]
    run["parameters"] = 2
    found = tables.forms(report)["md"]
    for words in ("parameters edited", "over a block's quota", "of unknown tools", "E: how often"):
        assert words in found
        assert words not in plain["md"]
    assert "positional" not in found
    assert f"{run['calls']} 2E 1R" in found
