"""A run in the terminal: its boundaries, and one of them with its decision and what followed.

What programs and tools wrote is data: characters that a terminal would obey are shown as escapes.
"""

import difflib
import json
from itertools import islice
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from controlscope.canonical import JsonObject
from controlscope.continuations import Position, rest_of_block
from controlscope.errors import InputError
from controlscope.operations import EFFECTIVE
from controlscope.parameters import Overrides, merged, overrides_json, parse_overrides
from controlscope.run_log import Run, read_run
from panels.pauses import Pause, pause_at, pauses
from reviewers.human_screen import visible

__all__ = ["boundary", "document", "first_decision", "outcome", "overview"]

_FOLLOWING = 5
_WIDTH = 60
_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def outcome(row: JsonObject, folder: Path) -> list[str]:
    """Say in one line how a run ended, and in another how to see it."""
    verdict = "passed" if row["success"] else f"failed: {row['message']}"
    counts = {"calls": "calls", "reviews": "reviews", "patches": "patched"}
    if row["parameters"]:
        counts["parameters"] = "edits of parameters"
    counted = [f"{row[key]} {name}" for key, name in {**counts, "replacements": "replaced"}.items()]
    label = f"{row['label']}: " if row["label"] else ""
    said = f"{label}{verdict}; {', '.join([row['ending'], *counted])}"
    return [said, f"controlscope show {folder}"]


def document(run: Run, index: int | None) -> JsonObject:
    """Return the run, or one boundary of it, as one JSON document."""
    if index is None:
        return {**run.header, "events": [run.whole(event) for event in run.events]}
    pause = pause_at(run, index)
    return {
        "boundary": run.whole(pause.event),
        "code": run.whole(pause.code),
        "decision": run.whole(pause.decision),
        "call": run.whole(pause.call),
        "followed": _followed(run, pause),
    }


def overview(run: Run) -> RenderableType:
    """Return a line a boundary: the pending call, the decision and what the call returned."""
    table = Table(title=_title(run), title_justify="left", box=box.SIMPLE_HEAD, expand=True)
    table.add_column("#", width=3)
    table.add_column("pending call", ratio=3, no_wrap=True)
    table.add_column("decision", width=8)
    table.add_column("returned", ratio=2, no_wrap=True)
    for pause in pauses(run):
        pending = _of(run, pause.event, "pending")
        call = visible(f"{_of(run, pending, 'tool')} {_short(_of(run, pending, 'arguments'))}")
        decision = "" if pause.decision is None else _of(run, pause.decision, "realized")
        returned = "" if pause.call is None else _short(_returned(run, pause.call))
        index = str(_of(run, pause.event, "index"))
        table.add_row(index, call, decision, visible(returned))
    return Group(table, *map(visible, _ending(run)))


def boundary(run: Run, index: int) -> RenderableType:
    """Return one pause: what a reviewer saw, what was decided, and the calls that followed."""
    pause = pause_at(run, index)
    event = run.whole(pause.event)
    pending, left = _of(run, event, "pending"), _of(run, event, "remaining")
    line, *_ = pending["position"]
    printed = _short(_of(run, event, "printed"))
    budget = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in left.items())
    return Group(
        Text(f"{_title(run)}, boundary {index}", style="bold"),
        visible(f"pending call, line {line} of {event['block']}: {pending['tool']}"),
        visible(_indented(pending["arguments"])),
        visible(f"left: {budget}; printed so far: {printed}"),
        _variables(_of(run, event, "variables")),
        *_decision(run, pause),
        Text("what followed:"),
        *(_line(f"  {line}") for line in _followed(run, pause)),
    )


def _decision(run: Run, pause: Pause) -> list[RenderableType]:
    if pause.decision is None:
        return [Text("no review")]
    decision = run.whole(pause.decision)
    reason = f": {decision['reason']}" if decision["reason"] else ""
    said = visible(
        f"decision: {decision['realized']} (granted scope {decision['granted']}){reason}"
    )
    said.stylize("bold")
    lines = _difference(run, pause, decision["operation"] or {})
    return [said, *(_line(line, _STYLES.get(line[:1], "")) for line in lines)]


def first_decision(runs: Path, report: JsonObject) -> RenderableType | None:
    """Return the first boundary of a panel whose program was really changed, or None."""
    for row in report["runs"]:
        if row["patches"] or row["parameters"] or row["replacements"]:
            run = read_run(runs / row["run"])
            for event in run.of_kind("review_decided"):
                if event["realized"] in EFFECTIVE:
                    index = event["boundary"]
                    command = f"controlscope show {run.folder} --boundary {index}"
                    return Group(Text(f"One decision ({command}):"), boundary(run, index), Text())
    return None


def _followed(run: Run, pause: Pause) -> list[str]:
    """Return a line for each of the next events that matter, and how the run ended."""
    steps = (line for event in pause.followed for line in _step(run, event))
    shown = list(islice(steps, _FOLLOWING))
    more = sum(1 for _ in steps)
    return [*shown, *([f"… {more} more"] if more else []), *_ending(run)]


def _step(run: Run, event: JsonObject) -> list[str]:
    match event["kind"]:
        case "call_completed":
            arguments = _short(_of(run, event, "arguments"))
            returned = _short(_returned(run, event))
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


def _difference(run: Run, pause: Pause, operation: JsonObject) -> list[str]:
    """Return the change as a diff: of the arguments, the overrides or the rest of the program."""
    pending = run.whole(pause.event["pending"])
    match operation.get("operation"):
        case "patch":
            before = _indented(pending["arguments"])
            after = _indented({**pending["arguments"], **operation["arguments"]})
        case "parameters":
            overrides = parse_overrides(run.whole(pause.event["overrides"]))
            edited = merged(overrides, parse_overrides(operation["overrides"]))
            before, after = _listed(overrides), _listed(edited)
        case "replace":
            before = rest_of_block(run.whole(pause.code), Position(*pending["position"]))
            after = operation["code"]
        case _:
            return []
    return list(
        difflib.unified_diff(
            before.splitlines(), after.splitlines(), "before", "after", lineterm=""
        )
    )


def _listed(overrides: Overrides) -> str:
    """Write a line for each argument that is set."""
    lines = [
        f"line {entry['line']}, column {entry['column']}: {entry['tool']} {name} = {_json(value)}"
        for entry in overrides_json(overrides)
        for name, value in sorted(entry["arguments"].items())
    ]
    return "\n".join(lines)


def _variables(variables: JsonObject) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("variable")
    table.add_column("value")
    for name, value in {**variables["module"], **variables["block"]}.items():
        table.add_row(visible(name), visible(_short(value)))
    for name in variables["unexposed"]:
        table.add_row(visible(name), Text("(not exposed)"))
    return table


def _title(run: Run) -> str:
    header = run.header
    return f"{header['task']} {header['program']} {header['condition']}"


def _of(run: Run, value: JsonObject, key: str) -> Any:
    """Read one key of an event, whole; InputError where the log is altered."""
    if key not in value:
        raise InputError(f"{run.folder}/events.jsonl: an event has no {key}: {_short(value)}")
    return run.whole(value[key])


def _returned(run: Run, call: JsonObject) -> Any:
    return _of(run, call, "shown" if "shown" in call else "observation")


def _line(text: str, style: str = "") -> Text:
    """Return a text as one line, its end marked where it does not fit."""
    line = visible(text)
    line.stylize(style)
    line.no_wrap, line.overflow = True, "ellipsis"
    return line


def _indented(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else _json(value)
    text = " ".join(text[: 20 * _WIDTH].split())
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
