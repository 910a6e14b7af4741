"""Where bytes of others come in: each takes any bytes, and ends well or with a typed error."""

import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from controlscope.canonical import encode
from controlscope.errors import InputError, InvalidReviewError
from controlscope.operations import as_json, parse_operation
from controlscope.run_log import read_run
from executors.worker.events import ViolationError, read_event
from executors.worker.frames import FrameError, Frames, frame
from panels.spec import load_panel

__all__ = ["ENTRANCES", "SAMPLES"]

_ROOT = Path(__file__).parents[2]
_TOOLS = frozenset({"read_text_file"})


def protocol(data: bytes) -> None:
    """Read a worker's stream of frames, and each payload as an event."""
    frames = Frames()
    frames.feed(data)
    try:
        while (found := frames.next()) is not None:
            read_event(found[1], 1, _TOOLS, 1000)
    except (FrameError, ViolationError):
        return


def operation(data: bytes) -> None:
    """Read a reviewer's operation; one that is read comes back from its own text."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return
    try:
        found = parse_operation(document)
    except InvalidReviewError:
        return
    again = as_json(found)
    assert encode(as_json(parse_operation(again))) == encode(again)
    # Overrides come back in the order of their sites.
    assert "overrides" in document or encode(again) == encode(document)


def spec(data: bytes) -> None:
    """Load a panel's specification."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spec.toml"
        path.write_bytes(data)
        try:
            load_panel(path)
        except InputError:
            return


def log(data: bytes) -> None:
    """Read a run whose files, parted by a NUL, are these bytes, and put all its values together."""
    header, _, events = data.partition(b"\0")
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder)
        (run / "run.json").write_bytes(header)
        (run / "events.jsonl").write_bytes(events)
        try:
            found = read_run(run)
            for event in found.events:
                found.whole(event)
        except InputError:
            return


_PAUSE = {
    "seq": 1,
    "kind": "paused",
    "tool": "read_text_file",
    "arguments": {"path": "a"},
    "position": [1, 0, 1, 9],
    "block": {},
    "module": {"x": [1, {"y": None}]},
    "unexposed": ["f"],
    "printed": "text",
    "unknown": 0,
    "positional": 0,
}
_EVENT = {"seq": 0, "kind": "boundary", "variables": {"parts": [{"blob": "0" * 64}]}}

ENTRANCES: Mapping[str, Callable[[bytes], None]] = {
    "protocol": protocol,
    "operation": operation,
    "spec": spec,
    "log": log,
}
SAMPLES: Mapping[str, bytes] = {
    "protocol": frame(1, json.dumps(_PAUSE).encode()),
    "operation": b'{"operation": "patch", "arguments": {"path": "\\ud800", "head": 1e2}}',
    "spec": (_ROOT / "panels" / "specs" / "demo.toml").read_bytes(),
    "log": b'{"schema_version": 1}\0' + json.dumps(_EVENT).encode() + b"\n",
}
"""Bytes that each entrance takes, to be changed."""
