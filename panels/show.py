"""A run in the terminal: its boundaries, and one of them with its decision and what followed."""

import difflib
import json
from itertools import islice
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from controlscope.canonical import JsonObject
from controlscope.continuations import Position, rest_of_block
from controlscope.errors import InputError
from controlscope.run_log import Run, read_run

__all__ = ["boundary", "document", "first_decision", "outcome", "overview"]

_FOLLOWING = 5
_WIDTH = 60


def outcome(row: JsonObject, folder: Path) -> list[str]:
    """Say in one line how a run ended, and in another how to see it."""
    verdict = "passed" if row["success"] else f"failed: {row['message']}"
    counts = {"calls": "calls", "reviews": "reviews", "patches": "patched"}
    counted = [f"{row[key]} {name}" for key, name in {**counts, "replacements": "replaced"}.items()]
    return [f"{verdict}; {', '.join([row['ending'], *counted])}", f"controlscope show {folder}"]


def document(run: Run, index: int | None) -> JsonObject:
    """Return the run, or one boundary of it, as one JSON document."""
    if index is None:
        return {**run.header, "events": [run.whole(event) for event in run.events]}
    return _at(run, index)


def overview(run: Run) -> RenderableType:
    """Return a line a boundary: the pending call, the decision and what the call returned."""
    table = Table(title=_title(run), title_justify="left", box=box.SIMPLE_HEAD, expand=True)
    table.add_column("#", width=3)
    table.add_column("pending call", ratio=3, no_wrap=True)
    table.add_column("decision", width=8)
    table.add_column("returned", ratio=2, no_wrap=True)
    for event in run.of_kind("boundary"):
        at = _at(run, event["index"])
        decision = (at["decision"] or {}).get("realized", "")
        pending = event["pending"]
        call = Text(f"{pending['tool']} {_short(pending['arguments'])}")
        returned = Text("" if at["call"] is None else _short(_returned(at["call"])))
        table.add_row(str(event["index"]), call, decision, returned)
    return Group(table, *(Text(line) for line in _ending(run)))


def boundary(run: Run, index: int) -> RenderableType:
    """Return one pause: what a reviewer saw, what was decided, and the calls that followed."""
    at = _at(run, index)
    event, decision = at["boundary"], at["decision"]
    pending = event["pending"]
    line, *_ = pending["position"]
    parts: list[RenderableType] = [
        Text(f"{_title(run)}, boundary {index}", style="bold"),
        Text(f"pending call, line {line} of {event['block']}: {pending['tool']}"),
        Text(_indented(pending["arguments"])),
        Text(
            f"left: {event['remaining']['calls']} calls; printed so far: {_short(event['printed'])}"
        ),
        _variables(event["variables"]),
    ]
    if decision is None:
        parts.append(Text("no review"))
    else:
        parts.append(
            Text(
                f"decision: {decision['realized']} (granted scope {decision['granted']})"
                f"{': ' + decision['reason'] if decision['reason'] else ''}",
                style="bold",
            )
        )
        parts.append(
            Syntax(_difference(at), "diff", theme="ansi_light", background_color="default")
        )
    parts.append(Text("what followed:"))
    parts += [Text(f"  {line}", no_wrap=True, overflow="ellipsis") for line in at["followed"]]
    return Group(*parts)


def first_decision(runs: Path, report: JsonObject) -> RenderableType | None:
    """Return the first boundary of a panel whose program was really changed, or None."""
    for row in report["runs"]:
        if row["patches"] or row["replacements"]:
            run = read_run(runs / row["run"])
            for event in run.of_kind("review_decided"):
                if event["realized"] in {"patch", "replace"}:
                    index = event["boundary"]
                    command = f"controlscope show {run.folder} --boundary {index}"
                    return Group(Text(f"One decision ({command}):"), boundary(run, index), Text())
    return None


def _at(run: Run, index: int) -> JsonObject:
    """Gather what belongs to one boundary: the code there, the decision, and what came after."""
    code: str = ""
    found: JsonObject | None = None
    result: JsonObject = {"decision": None, "call": None, "replacement": None, "followed": []}
    for event in map(run.whole, run.events):
        kind = event["kind"]
        if found is None:
            if kind in {"block_started", "continuation_replaced"}:
                code = event["code"]
            elif kind == "boundary" and event["index"] == index:
                found = event
            continue
        if kind == "review_decided" and event["boundary"] == index:
            result["decision"] = event
        elif kind == "continuation_replaced" and event["boundary"] == index:
            result["replacement"] = event["code"]
        elif kind == "call_completed" and result["call"] is None and not result["replacement"]:
            result["call"] = event
        result["followed"] += _followed(event)
    if found is None:
        count = sum(event["kind"] == "boundary" for event in run.events)
        raise InputError(f"{run.folder} has no boundary {index}: it has {count}, from 0")
    calls = list(islice(result["followed"], _FOLLOWING))
    more = len(result["followed"]) - len(calls)
    result["followed"] = [*calls, *([f"… {more} more"] if more > 0 else []), *_ending(run)]
    return {"boundary": found, "code": code, **result}


def _followed(event: JsonObject) -> list[str]:
    match event["kind"]:
        case "call_completed":
            arguments, returned = _short(event["arguments"]), _short(_returned(event))
            return [f"call {event['index']}: {event['tool']} {arguments} → {returned}"]
        case "block_ended" | "worker_lost" if event["error"]:
            return [f"{event['block']} ended: {event['error']}"]
        case "budget_exhausted":
            return [f"budget spent: {event['budget']}"]
    return []


def _ending(run: Run) -> list[str]:
    lines = [f"ended: {event['ending']}" for event in run.of_kind("episode_ended")]
    for event in run.of_kind("scored"):
        lines.append(f"scored: {'passed' if event['success'] else 'failed: ' + event['message']}")
    for event in run.of_kind("infrastructure_failed"):
        lines.append(f"infrastructure: {event['error']}: {event['detail']}")
    return lines


def _difference(at: JsonObject) -> str:
    """Return the change as a diff: of the arguments, or of the rest of the program."""
    event, decision = at["boundary"], at["decision"]
    operation = decision["operation"] or {}
    match operation.get("operation"):
        case "patch":
            before = _indented(event["pending"]["arguments"])
            after = _indented({**event["pending"]["arguments"], **operation["arguments"]})
        case "replace":
            before = rest_of_block(at["code"], Position(*event["pending"]["position"]))
            after = operation["code"]
        case _:
            return ""
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), "before", "after", lineterm=""
    )
    return "\n".join(lines)


def _variables(variables: JsonObject) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("variable")
    table.add_column("value")
    for name, value in {**variables["module"], **variables["block"]}.items():
        table.add_row(Text(name), Text(_short(value)))
    for name in variables["unexposed"]:
        table.add_row(Text(name), Text("(not exposed)"))
    return table


def _title(run: Run) -> str:
    header = run.header
    return f"{header['task']} {header['program']} {header['condition']}"


def _returned(call: JsonObject) -> Any:
    return call["shown"] if "shown" in call else call["observation"]


def _indented(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
