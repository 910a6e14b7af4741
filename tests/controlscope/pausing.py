"""Run a block in this process and stop it at its calls, as a worker reports them."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from controlscope.boundaries import Boundary, History, PendingCall, Remaining, Variables
from controlscope.canonical import JsonObject
from controlscope.continuations import Position, site_of
from controlscope.tasks import Block
from controlscope.tools import Tool

TEXT: JsonObject = {"type": "string"}
NUMBER: JsonObject = {"type": "number"}


def tool(
    name: str,
    properties: JsonObject,
    required: Sequence[str],
    programs: frozenset[str] = frozenset(),
) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name, "", schema, read_only=False, program_parameters=programs)


TOOLS = {
    known.name: known
    for known in (
        tool("read", {"path": TEXT, "head": NUMBER, "tail": NUMBER}, ["path"]),
        tool("write", {"path": TEXT, "content": TEXT}, ["path", "content"]),
        tool("run", {"path": TEXT, "script": TEXT}, ["script"], frozenset({"script"})),
    )
}


class _AbandonedError(BaseException):
    """Ends a block at its pending call; no program catches it by accident."""


@dataclass
class Proxy:
    """Stands where `fs` does. Answers each call, or abandons the block at call `stop`."""

    stop: int | None = None
    calls: list[PendingCall] = field(default_factory=list)

    def __getattr__(self, name: str) -> Callable[..., str]:
        if name.startswith("_"):
            raise AttributeError(name)

        def call(**arguments: Any) -> str:
            if len(self.calls) == self.stop:
                raise _AbandonedError
            self.calls.append(PendingCall(name, arguments, _position()))
            return f"{name} of {arguments.get('path')}"

        return call


def _position() -> Position:
    """Read where the innermost frame of the block stands, in the interpreter's own words."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename != "<block>":
        assert frame.f_back is not None
        frame = frame.f_back
    line, end_line, column, end_column = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    assert line is not None
    assert end_line is not None
    assert column is not None
    assert end_column is not None
    return Position(line, column, end_line, end_column)


def run(code: str, namespace: dict[str, Any], stop: int | None = None) -> list[PendingCall]:
    """Run a block in a namespace and return its calls, up to the one it is abandoned at."""
    proxy = Proxy(stop)
    namespace["fs"] = proxy
    try:
        exec(compile(code, "<block>", "exec"), namespace)
    except _AbandonedError:
        pass
    finally:
        del namespace["fs"]
    return proxy.calls


def boundary_at(
    code: str,
    at: int = 0,
    *,
    queued: Sequence[Block] = (),
    tools: dict[str, Tool] = TOOLS,
    **other: Any,
) -> Boundary:
    """Return the boundary at a block's call number `at`, counted from 0."""
    calls = run(code, {})
    pending = calls[at]
    hits = sum(call.position == pending.position for call in calls[:at])
    parts: dict[str, Any] = {
        "index": at,
        "goal": "Do it.",
        "proxy": "fs",
        "history": History(),
        "block": Block("call_01", code),
        "queued": tuple(queued),
        "pending": pending,
        "site": site_of(code, pending.position, "fs", hits),
        "variables": Variables({}, {}),
        "printed": "",
        "decisions": (),
        "tools": tools,
        "remaining": Remaining(calls=100 - at, planning_turns=100),
        "environment": "e" * 64,
    }
    return Boundary(**{**parts, **other})
