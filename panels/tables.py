"""The report's document as tables for a terminal and for Markdown."""

import json
from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from controlscope.canonical import JsonObject
from panels.effort import effort_sheets
from panels.goal_sheets import ONLY_TOTALS, goal_sheets
from panels.phrases import audit_lines, cost_cell, heading_of, paired_lines, rate_cell

__all__ = ["as_renderable", "forms"]

_COUNTS = {
    "calls": "calls",
    "reviews": "reviews",
    "patches": "patched",
    "replacements": "replaced",
    "no_op": "no-op",
    "rejected": "rejected",
    "planner_turns": "planner turns",
}
_SOME = {
    "parameters": "parameters edited",
    "activated": "runs with protection",
    "suppressed": "reviews held back by it",
    "outstanding": "outstanding",
    "time_limited": "time limited",
}
"""Rows where there is anything to count."""

_REFUSED = {
    "quota": "calls over a block's quota",
    "unknown": "calls of unknown tools",
    "positional": "calls with positional arguments",
}
_EDITS = {"patches": "P", "parameters": "E", "replacements": "R"}
_FINISHED = {"finished", "completed"}
_ENDINGS = _FINISHED | {"planner_error", "context_limit"}
_LEGEND = (
    "A task's cell: its score, its calls, and how many were patched (P) or how often the rest was "
    "replaced (R). * The run was ended by a budget."
)
_EDITED = "E: how often arguments in the rest of a block were edited."
_MODEL_LEGEND = (
    "Tokens and cost: all that the runs used and, in brackets, what was paid, not taken from the "
    "cache. Intervals of valid replies take reviews as independent, which those of one run are not."
)
_DECISIONS = (
    "Decisions at the boundaries that rules found (keep counts the four columns after it too)"
)
_Rows = list[list[str]]
_Sheet = tuple[list[str], _Rows]


def as_renderable(report: JsonObject) -> RenderableType:
    """Return the report for a terminal."""
    parts: list[RenderableType] = [Text(heading_of(report), style="bold"), Text()]
    for group in report["groups"]:
        parts.append(_table(_title(group), *_condition_rows(report, group)))
        parts += [Text(line) for line in paired_lines(report, group)]
        parts += [Text()]
        for sheet in _sheets(report, group):
            parts += [_table(*sheet), Text()]
        if not report["only_totals"]:
            parts += [_table("", *_task_rows(report, group)), Text()]
    if report["decisions"]:
        parts += [_table(_DECISIONS, *_decision_rows(report)), Text()]
    parts += [Text(_legend(report)), Text()]
    parts += [Text(line) for line in audit_lines(report)]
    return Group(*parts)


def as_markdown(report: JsonObject) -> str:
    """Return the report as Markdown."""
    lines = [f"# {heading_of(report)}", ""]
    for group in report["groups"]:
        lines += [f"## {_title(group)}", "", *_pipes(*_condition_rows(report, group)), ""]
        lines += [f"- {line}" for line in paired_lines(report, group)]
        lines += [""]
        for title, columns, rows in _sheets(report, group):
            lines += [f"### {title}", "", *_pipes(columns, rows), ""]
        if not report["only_totals"]:
            lines += [*_pipes(*_task_rows(report, group)), ""]
    if report["decisions"]:
        lines += [f"## {_DECISIONS}", "", *_pipes(*_decision_rows(report)), ""]
    lines += [_legend(report), ""]
    return "\n".join([*lines, *(f"- {line}" for line in audit_lines(report))]) + "\n"


def forms(report: JsonObject) -> dict[str, str]:
    """Return the report in each form that it is written in."""
    return {
        "text": as_text(report),
        "json": json.dumps(report, indent=2, ensure_ascii=False) + "\n",
        "md": as_markdown(report),
    }


def as_text(report: JsonObject) -> str:
    """Return the report as plain text, the same on every terminal."""
    console = Console(width=120, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(as_renderable(report))
    return capture.get()


def _sheets(report: JsonObject, group: JsonObject) -> Iterator[tuple[str, list[str], _Rows]]:
    """Yield the tables that only some kinds of tasks have."""
    yield from effort_sheets(report, group)
    yield from goal_sheets(report, group)


def _legend(report: JsonObject) -> str:
    parts = [ONLY_TOTALS if report["only_totals"] else _LEGEND]
    if any(run["parameters"] for run in report["runs"]):
        parts.append(_EDITED)
    if report["kind"] == "model panel":
        parts.append(_MODEL_LEGEND)
    return " ".join(parts)


def _title(group: JsonObject) -> str:
    draw = f", draw {group['draw'] + 1}" if group["draw"] else ""
    row = "" if group["row"] == group["program"] else f"{group['row']}: "
    mode = "" if group["mode"] == "scripted" else f", {group['mode']}"
    return f"{row}Program {group['program']}{mode}{draw}, replacement boundary {group['replace']}"


def _condition_rows(report: JsonObject, group: JsonObject) -> _Sheet:
    """Lay out a column a condition, so that the table fits any terminal."""
    cells = group["conditions"].values()
    endings = sorted({name for cell in cells for name in cell["endings"]})
    rows = [
        ["success", *(f"{cell['success']} of {cell['assigned']}" for cell in cells)],
        *([label, *(str(cell[key]) for cell in cells)] for key, label in _COUNTS.items()),
    ]
    for kind in ("invalid", "service"):
        rows.append([f"{kind} reviews", *(str(cell["fallbacks"][kind]) for cell in cells)])
    for name in endings:
        rows.append(
            [f"ended: {_ended(name)}", *(str(cell["endings"].get(name, 0)) for cell in cells)]
        )
    for key, label in _SOME.items():
        if any(cell[key] for cell in cells):
            rows.append([label, *(str(cell[key]) for cell in cells)])
    for key, label in _REFUSED.items():
        if any(cell["refused"][key] for cell in cells):
            rows.append([label, *(str(cell["refused"][key]) for cell in cells)])
    if report["kind"] == "model panel":
        rows += _model_rows(cells)
    marked = [
        f"{name} (reused)" if cell["reused"] else name for name, cell in group["conditions"].items()
    ]
    return ["", *marked], rows


def _model_rows(cells: Iterable[JsonObject]) -> _Rows:
    """Lay out what only models have: valid replies, tokens and cost, fresh ones in brackets."""
    rows = [["valid replies", *(rate_cell(cell["valid_replies"]) for cell in cells)]]
    for ledger in ("agent", "reviewer"):
        for part in ("input", "cached_input", "output", "reasoning"):
            found = [cell["tokens"][ledger] for cell in cells]
            label = f"{ledger} {part.replace('_', ' ')}"
            rows.append([label, *(_tokens(tokens, part) for tokens in found)])
        rows.append([f"{ledger} cost", *(cost_cell(cell["cost"][ledger]) for cell in cells)])
    return rows


def _decision_rows(report: JsonObject) -> _Sheet:
    """Lay out a row for each reviewer and condition; `keep` holds the four columns after it."""
    rows = [[str(value) for value in found.values()] for found in report["decisions"]]
    names = list(report["decisions"][0])
    return [name.replace("no_op", "no-op") for name in names], rows


def _tokens(tokens: JsonObject, part: str) -> str:
    if not tokens or tokens["unreported"]:
        return "—"
    return f"{tokens[part]:,} ({tokens['fresh_' + part]:,})"


def _ended(ending: str) -> str:
    return ending if ending in _ENDINGS else f"{ending.replace('_', ' ')} spent"


def _task_rows(report: JsonObject, group: JsonObject) -> _Sheet:
    """Lay out a row a task; those of which no run is scored are counted in the last one."""
    runs = {run["run"]: run for run in report["runs"]}
    rows = [
        [task, *("—" if name is None else _outcome(runs[name]) for name in by_condition.values())]
        for task, by_condition in group["tasks"].items()
        if any(by_condition.values())
    ]
    waiting = len(group["tasks"]) - len(rows)
    if waiting:
        rows.append(
            [f"{waiting} more, none with a scored run", *("—" for _ in group["conditions"])]
        )
    return ["task", *group["conditions"]], rows


def _outcome(run: JsonObject) -> str:
    verdict = "passed" if run["success"] else "failed"
    mark = "" if run["ending"] in _FINISHED else "*"
    edits = [f"{run[key]}{letter}" for key, letter in _EDITS.items() if run[key]]
    return " ".join([verdict, f"{run['calls']}{mark}", *edits])


def _table(title: str, columns: Iterable[str], rows: _Rows) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        # Where the terminal is narrow, names are folded and never what is said of them.
        table.add_column(column, no_wrap=number > 0, overflow="fold")
    for row in rows:
        table.add_row(*row)
    # The table's own title would be folded at the table's width.
    return Group(Text(title, style="italic"), table) if title else table


def _pipes(columns: Sequence[str], rows: _Rows) -> list[str]:
    return [
        f"| {' | '.join(columns)} |",
        f"|{' --- |' * len(columns)}",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
