"""The report's document as tables for a terminal and for Markdown."""

import json
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from controlscope.canonical import JsonObject

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
_ENDINGS = {"finished", "planner_error", "context_limit"}
_LEGEND = (
    "A task's cell: its score, its calls, and how many were patched (P) or how often the rest was "
    "replaced (R). * The run was ended by a budget."
)
_Rows = list[list[str]]
_Sheet = tuple[list[str], _Rows]


def heading_of(report: JsonObject) -> str:
    """Say what kind of panel this is, before any number."""
    return (
        f"{report['panel']}: {report['kind']}: authored programs × scripted reviewer, "
        "no evidence about models"
    )


def as_renderable(report: JsonObject) -> RenderableType:
    """Return the report for a terminal."""
    parts: list[RenderableType] = [Text(heading_of(report), style="bold"), Text()]
    for group in report["groups"]:
        parts.append(_table(_title(group), *_condition_rows(group)))
        parts += [Text(line) for line in _paired_lines(group)]
        parts += [Text(), _table("", *_task_rows(report, group)), Text()]
    parts += [Text(_LEGEND), Text()]
    parts += [Text(line) for line in _audit_lines(report)]
    return Group(*parts)


def as_markdown(report: JsonObject) -> str:
    """Return the report as Markdown."""
    lines = [f"# {heading_of(report)}", ""]
    for group in report["groups"]:
        lines += [f"## {_title(group)}", "", *_pipes(*_condition_rows(group)), ""]
        lines += [f"- {line}" for line in _paired_lines(group)]
        lines += ["", *_pipes(*_task_rows(report, group)), ""]
    lines += [_LEGEND, ""]
    return "\n".join([*lines, *(f"- {line}" for line in _audit_lines(report))]) + "\n"


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


def _title(group: JsonObject) -> str:
    draw = f", draw {group['draw'] + 1}" if group["draw"] else ""
    row = "" if group["row"] == group["program"] else f"{group['row']}: "
    return f"{row}Program {group['program']}{draw}, replacement boundary {group['replace']}"


def _condition_rows(group: JsonObject) -> _Sheet:
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
    for key in ("outstanding", "time_limited"):
        if any(cell[key] for cell in cells):
            rows.append([key.replace("_", " "), *(str(cell[key]) for cell in cells)])
    return ["", *group["conditions"]], rows


def _ended(ending: str) -> str:
    return ending if ending in _ENDINGS else f"{ending.replace('_', ' ')} spent"


def _paired_lines(group: JsonObject) -> list[str]:
    return [
        f"{pair['a']} against {pair['b']}: {pair['wins']} won, {pair['losses']} lost, "
        f"{pair['ties']} the same, of {pair['n']}"
        for pair in group["paired"]
    ]


def _task_rows(report: JsonObject, group: JsonObject) -> _Sheet:
    runs = {run["run"]: run for run in report["runs"]}
    rows = [
        [task, *("—" if name is None else _outcome(runs[name]) for name in by_condition.values())]
        for task, by_condition in group["tasks"].items()
    ]
    return ["task", *group["conditions"]], rows


def _outcome(run: JsonObject) -> str:
    verdict = "passed" if run["success"] else "failed"
    mark = "" if run["ending"] == "finished" else "*"
    edits = [f"{run[key]}{key[0].upper()}" for key in ("patches", "replacements") if run[key]]
    return " ".join([verdict, f"{run['calls']}{mark}", *edits])


def _audit_lines(report: JsonObject) -> list[str]:
    names = {
        "first_inputs": "first public inputs equal to Keep's",
        "prefixes": "states equal to Keep's up to the first operation",
    }
    lines = [
        f"audit: {names[name]}: {audit['equal']} of {audit['checked']}"
        for name, audit in report["audits"].items()
    ]
    lost = report["infrastructure"]
    lines += [
        f"infrastructure: {item['condition']} {item['run']}: {item['reason']}" for item in lost
    ]
    return lines


def _table(title: str, columns: Iterable[str], rows: _Rows) -> Table:
    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _pipes(columns: Sequence[str], rows: _Rows) -> list[str]:
    return [
        f"| {' | '.join(columns)} |",
        f"|{' --- |' * len(columns)}",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
