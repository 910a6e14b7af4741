"""The tables and the figure of what household tasks took, from rows of results."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from controlscope.canonical import JsonObject
from panels.effort import THRESHOLDS, completed_within, effort_of, effort_sheets
from panels.effort_figure import effort_figures

LABEL = "household games (ours), not ALFWorld"


def _row(success: bool, calls: int, output: int = 0, **values: Any) -> JsonObject:
    tokens = {"input": 10 * output, "output": output, "unreported": 0}
    return {
        "success": success,
        "calls": calls,
        **dict.fromkeys(("repairs", "reviews", "patches", "replacements"), 0),
        "initial_success": success and not values.get("repairs"),
        "fallbacks": {"invalid": values.pop("invalid", 0), "service": values.pop("service", 0)},
        "tokens": {"agent": tokens, "reviewer": tokens},
        **values,
    }


def _effort(output: int = 0) -> JsonObject:
    return effort_of(
        {
            "keep": [_row(True, 12), _row(True, 40, repairs=2), _row(False, 100, repairs=5)],
            "full": [
                _row(True, 12, output, reviews=11, patches=1, invalid=2),
                _row(True, 25, output, reviews=24, replacements=1, service=1),
                None,
            ],
        }
    )


def _report(kind: str, output: int = 0, label: str = "") -> JsonObject:
    group = {"row": "P1", "draw": 0, "effort": _effort(output)}
    return {"panel": "small", "label": label, "kind": kind, "groups": [group]}


def test_what_tasks_took_is_counted_by_condition() -> None:
    assert _effort(output=7) == {
        "keep": {
            "assigned": 3,
            "initial_success": 1,
            "success": 2,
            "actions": 152,
            "repairs": 7,
            **dict.fromkeys(("reviews", "patches", "replacements", "invalid", "service"), 0),
            "input": None,
            "output": None,
            "completed_at": [12, 40],
        },
        "full": {
            "assigned": 3,
            "initial_success": 2,
            "success": 2,
            "actions": 37,
            "repairs": 0,
            "reviews": 35,
            "patches": 1,
            "replacements": 1,
            "invalid": 2,
            "service": 1,
            "input": 280,
            "output": 28,
            "completed_at": [12, 25],
        },
    }


def test_tokens_that_one_provider_did_not_tell_are_no_number() -> None:
    untold = _row(True, 5, 7)
    untold["tokens"]["agent"]["unreported"] = 1
    cell = effort_of({"full": [untold, _row(True, 5, 7)]})["full"]
    assert (cell["input"], cell["output"]) == (None, None)


@given(st.lists(st.integers(0, 100)))
def test_no_fewer_tasks_are_done_within_more_actions(completed_at: list[int]) -> None:
    found = [completed_within(sorted(completed_at), actions) for actions in range(101)]
    assert found == sorted(found)
    assert found[-1] == len(completed_at)
    assert THRESHOLDS[-1] == 100


def test_an_instrument_check_tells_counts_and_a_model_panel_percentages() -> None:
    texts = {}
    for kind in ("instrument check", "model panel"):
        report = _report(kind, 7, LABEL)
        sheets = list(effort_sheets(report, report["groups"][0]))
        assert all(LABEL in title for title, *_ in sheets)
        texts[kind] = {row[0]: row[1:] for _, _, rows in sheets for row in rows}
    assert texts["instrument check"]["30"] == ["1 of 3", "2 of 3"]
    assert texts["model panel"]["30"] == ["1 (33.3 %)", "2 (66.7 %)"]
    assert texts["model panel"]["output"] == ["—", "28"]


def test_other_panels_have_neither_table_nor_figure() -> None:
    report = _report("model panel")
    report["groups"][0]["effort"] = None
    assert list(effort_sheets(report, report["groups"][0])) == []
    assert effort_figures(report) == {}


def test_a_figure_is_an_image_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    report = _report("model panel", 7)
    drawn = effort_figures(report)
    assert list(drawn) == ["effort-P1.svg"]
    assert ElementTree.fromstring(drawn["effort-P1.svg"]).tag.endswith("svg")
    code = (
        "import json, sys; from panels.effort_figure import effort_figures;"
        "sys.stdout.buffer.write(effort_figures(json.load(sys.stdin))['effort-P1.svg'])"
    )
    again = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(report).encode(),
        env={"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C", "HOME": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    assert again.stdout == drawn["effort-P1.svg"]


def test_an_instrument_check_s_figure_shows_no_tokens_and_another_record_another_figure() -> None:
    check, model = (
        effort_figures(_report(kind, output))["effort-P1.svg"]
        for kind, output in (("instrument check", 0), ("model panel", 7))
    )
    assert len(check) < len(model)
    other = _report("instrument check")
    other["groups"][0]["effort"]["keep"]["completed_at"] = [12, 41]
    assert effort_figures(other)["effort-P1.svg"] != check
