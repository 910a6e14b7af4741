"""Reading a worker's messages strictly: a worker's word is evidence, not truth.

A program can forge its own worker's messages. A forged call has no more authority than a real one,
but its place and variables can lie; the strict numbers make whatever follows it a violation.
"""

import json
import math
from collections.abc import Collection
from typing import Any, get_args

from controlscope.boundaries import PendingCall, Variables
from controlscope.budgets import Refused
from controlscope.canonical import JsonObject
from controlscope.continuations import Position
from controlscope.errors import BlockErrorKind
from controlscope.roles import BlockEnded, Paused, WorkerEvent
from executors.worker import exposure
from executors.worker.failures import MAX_TRACEBACK_BYTES

__all__ = ["ViolationError", "read_event", "read_ready"]

_MAX_DEPTH = 64
_MAX_COUNT = 1 << 31
_MARKER_BYTES = 100
_MAX_SHOWN_BYTES = 4 * exposure.MAX_BYTES
_REFUSED: dict[str, type | tuple[type, ...]] = {"unknown": int, "positional": int}
_KINDS = frozenset(get_args(BlockErrorKind))


class ViolationError(Exception):
    """A message that no honest worker sends."""


def read_ready(payload: bytes) -> None:
    """Check a worker's first message."""
    _check(_object(payload), 0, "ready", {})


def read_event(
    payload: bytes, sequence: int, tools: Collection[str], output_bytes: int
) -> WorkerEvent:
    """Read the answer to command `sequence`; ViolationError where anything is off."""
    value = _object(payload)
    if value.get("kind") == "paused":
        types: dict[str, type | tuple[type, ...]] = {
            "tool": str,
            "arguments": dict,
            "position": list,
            "block": dict,
            "module": dict,
            "unexposed": list,
            "printed": str,
            **_REFUSED,
        }
        _check(value, sequence, "paused", types)
        if value["tool"] not in tools:
            raise ViolationError(f"a call of the unknown tool {value['tool'][:100]!r}")
        _check_shown(value, len(payload))
        return Paused(
            pending=PendingCall(value["tool"], value["arguments"], _position(value["position"])),
            variables=Variables(value["block"], value["module"], tuple(value["unexposed"])),
            printed=_text(value["printed"], output_bytes + _MARKER_BYTES),
            refused=_refused(value),
        )
    types = {
        "printed": str,
        "error": (str, type(None)),
        "traceback": str,
        "output_truncated": bool,
        **_REFUSED,
    }
    _check(value, sequence, "ended", types)
    if value["error"] is not None and value["error"] not in _KINDS:
        raise ViolationError(f"the unknown error kind {value['error'][:100]!r}")
    return BlockEnded(
        printed=_text(value["printed"], output_bytes + _MARKER_BYTES),
        error=value["error"],
        traceback=_text(value["traceback"], MAX_TRACEBACK_BYTES),
        output_truncated=value["output_truncated"],
        refused=_refused(value),
    )


def _check_shown(value: JsonObject, size: int) -> None:
    """Hold the variables of a pause to what `exposure` shows of any."""
    names = value["unexposed"]
    if not all(type(name) is str and len(name) <= exposure.MAX_NAME for name in names):
        raise ViolationError("a variable's name is not a string, or too long")
    if len(names) > exposure.MAX_NAMES + 1:
        raise ViolationError(f"{len(names)} names of variables")
    # No honest worker comes near; only a message that is large by itself is measured again.
    if size > _MAX_SHOWN_BYTES and len(json.dumps([value["block"], value["module"]])) > (
        _MAX_SHOWN_BYTES
    ):
        raise ViolationError("more variables than are ever shown")


def _object(payload: bytes) -> JsonObject:
    try:
        value = json.loads(payload, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise ViolationError(f"not JSON: {str(error)[:200]}") from None
    if type(value) is not dict:
        raise ViolationError("not a JSON object")
    # Few brackets cannot nest deeply; only then is the walk saved.
    if payload.count(b"[") + payload.count(b"{") > _MAX_DEPTH:
        _check_depth(value)
    return value


def _check(value: JsonObject, sequence: int, kind: str, types: dict[str, Any]) -> None:
    if set(value) != {"seq", "kind", *types}:
        raise ViolationError("unknown or missing fields")
    if type(value["seq"]) is not int or value["seq"] != sequence or value["kind"] != kind:
        raise ViolationError(f"not a {kind} message with number {sequence}")
    for name, kinds in types.items():
        if not isinstance(value[name], kinds):
            raise ViolationError(f"{name} has a wrong type")


def _refused(value: JsonObject) -> Refused:
    counts = [value[name] for name in _REFUSED]
    if not all(type(count) is int and 0 <= count < _MAX_COUNT for count in counts):
        raise ViolationError("what was refused is not two counts")
    return Refused(*counts)


def _position(value: list[Any]) -> Position:
    if len(value) != 4 or not all(
        type(number) is int and 0 <= number < _MAX_COUNT for number in value
    ):
        raise ViolationError("the position is not four counts")
    return Position(*value)


def _text(text: str, limit: int) -> str:
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise ViolationError("a text is not UTF-8") from None
    if size > limit:
        raise ViolationError(f"a text of {size} bytes; the limit is {limit}")
    return text


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(_MAX_DEPTH):
        level = [
            part
            for holder in level
            for part in (holder.values() if type(holder) is dict else holder)
            if type(part) in (dict, list)
        ]
        if not level:
            return
    raise ViolationError(f"nested deeper than {_MAX_DEPTH} levels")


def _refuse(text: str) -> float:
    raise ValueError(f"{text} has no JSON form")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is out of range")
    return number
