"""A small stand-in for the loop: programs run here, in this process, on files in a dictionary.

It pauses, patches and abandons as the real loop does, so that a program and its replacement can be
compared by what they did. Its batched replies have the format that test_reply_format checks
against the original server.
"""

import sys
import types
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from controlscope.boundaries import Boundary, History, PendingCall, Remaining, Variables
from controlscope.budgets import Contract
from controlscope.canonical import JsonObject, encode
from controlscope.continuations import Position, site_of
from controlscope.operations import (
    Keep,
    PatchArguments,
    Replace,
    ReplaceBoundary,
    Scope,
    as_json,
    patch,
    realize,
)
from controlscope.roles import Review, Reviewer
from controlscope.tasks import Block
from controlscope.tools import Tool

T = TypeVar("T")


def _tool(name: str, *parameters: str, read_only: bool = False) -> Tool:
    kinds: dict[str, JsonObject] = {"paths": {"type": "array", "items": {"type": "string"}}}
    properties = {name: kinds.get(name, {"type": "string"}) for name in parameters}
    schema = {"type": "object", "properties": properties, "required": list(parameters)}
    return Tool(name, "", schema, read_only)


TOOLS = {
    tool.name: tool
    for tool in (
        _tool("read_text_file", "path", read_only=True),
        _tool("read_multiple_files", "paths", read_only=True),
        _tool("get_file_info", "path", read_only=True),
        _tool("write_file", "path", "content"),
        _tool("move_file", "source", "destination"),
        _tool("create_directory", "path"),
    )
}


class ToolError(Exception):
    """What a failed call raises in a program."""


class _OverError(BaseException):
    """The call budget is gone."""


class _AbandonedError(BaseException):
    def __init__(self, code: str) -> None:
        self.code = code


def now(awaitable: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never waits."""
    try:
        awaitable.send(None)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
    raise AssertionError("it waited")


def files_reply(paths: list[str], files: dict[str, str]) -> str:
    """Format a batched read as the original server does."""
    return "\n---\n".join(
        f"{path}:\n{files[path]}\n" if path in files else f"{path}: Error - {_missing(path)}"
        for path in paths
    )


def _missing(path: str) -> str:
    return f"ENOENT: no such file or directory, open '{path}'"


class KeepAll:
    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        return Review(Keep())


@dataclass
class Run:
    """One run: blocks of one reply on files; `folders` exist, the root always does."""

    files: dict[str, str]
    reviewer: Reviewer = field(default_factory=KeepAll)
    scope: Scope = "full"
    replace: ReplaceBoundary = "reply"
    budget: int = 100
    contract: Contract | None = None
    folders: set[str] = field(default_factory=set)
    calls: list[JsonObject] = field(default_factory=list)
    history: History = field(default_factory=History)
    boundaries: list[Boundary] = field(default_factory=list)
    realized: list[str] = field(default_factory=list)
    operations: list[Any] = field(default_factory=list)
    decisions: list[JsonObject] = field(default_factory=list)
    module: types.ModuleType = field(default_factory=lambda: types.ModuleType("program"))
    error: str | None = None
    over: bool = False

    def play(self, *codes: str) -> "Run":
        """Run a reply to its end, an error or the budget."""
        queue = [Block(f"b{number}", code) for number, code in enumerate(codes)]
        blocks = [{"id": block.id, "code": block.code} for block in queue]
        self.history += {"kind": "reply", "blocks": blocks, "text": ""}
        self.module.__dict__.update(fs=_Proxy(self), ToolError=ToolError)
        self._reviewed_at = -1
        while queue:
            self._block, self._queue, self._hits = queue.pop(0), queue, dict[Position, int]()
            while True:
                try:
                    exec(compile(self._block.code, "<block>", "exec"), self.module.__dict__)
                except _OverError:
                    self.over = True
                    return self
                except _AbandonedError as abandoned:
                    self._block = Block(self._block.id, abandoned.code)
                    self._hits = {}
                    if self.replace == "reply":
                        queue.clear()
                    continue
                except Exception as error:
                    self.error = f"{type(error).__name__}: {error}"
                    return self
                break
        return self

    def variables(self) -> JsonObject:
        """Return what the program's module holds in JSON, without what names begin with `_`."""
        return _exposed(self.module.__dict__)[0]

    def call(self, tool: str, arguments: JsonObject, frame: types.FrameType) -> str:
        if len(self.calls) >= self.budget:
            raise _OverError
        boundary = self._boundary(tool, arguments, frame)
        self.boundaries.append(boundary)
        if len(self.calls) > self._reviewed_at:
            self._reviewed_at = len(self.calls)
            operation = now(self.reviewer.review(boundary, self.scope)).operation
            realized = realize(operation, boundary, self.scope, self.replace)
            self.realized.append(realized)
            self.operations.append(operation)
            self.decisions.append(
                {
                    "boundary": boundary.index,
                    "granted": self.scope,
                    "realized": realized,
                    "operation": as_json(operation),
                }
            )
            if isinstance(operation, Replace) and realized == "replace":
                raise _AbandonedError(operation.code)
            if isinstance(operation, PatchArguments):
                arguments = patch(boundary, operation).arguments
        text, is_error = self._effect(tool, arguments)
        entry = {"tool": tool, "arguments": arguments, "observation": text, "is_error": is_error}
        self.calls.append(entry)
        self.history += {"kind": "call", **entry}
        if is_error:
            raise ToolError(text)
        return text

    def _boundary(self, tool: str, arguments: JsonObject, frame: types.FrameType) -> Boundary:
        positions = list(frame.f_code.co_positions())
        line, end_line, column, end_column = positions[frame.f_lasti // 2]
        position = Position(line or 0, column or 0, end_line or 0, end_column or 0)
        site = site_of(self._block.code, position, "fs", self._hits.get(position, 0))
        self._hits[position] = self._hits.get(position, 0) + 1
        module, unexposed = _exposed(self.module.__dict__)
        at_module = frame.f_code.co_name == "<module>"
        block = {} if at_module else _exposed(frame.f_locals)[0]
        return Boundary(
            index=len(self.boundaries),
            goal="",
            proxy="fs",
            history=self.history,
            block=self._block,
            queued=tuple(self._queue),
            pending=PendingCall(tool, arguments, position),
            site=site,
            variables=Variables(block, module, unexposed),
            printed="",
            decisions=tuple(self.decisions),
            tools=TOOLS,
            remaining=Remaining(calls=self.budget - len(self.calls), planning_turns=100),
            environment=encode(self.files),
            contract=self.contract,
        )

    def _effect(self, tool: str, arguments: JsonObject) -> tuple[str, bool]:
        match tool, arguments:
            case "read_text_file", {"path": path}:
                return (self.files[path], False) if path in self.files else (_missing(path), True)
            case "read_multiple_files", {"paths": paths}:
                return files_reply(paths, self.files), False
            case "write_file", {"path": path, "content": content}:
                parent = path.rpartition("/")[0]
                if parent and parent not in self.folders:
                    return _missing(path), True
                self.files[path] = content
                return f"Successfully wrote to {path}", False
            case "move_file", {"source": source, "destination": destination}:
                self.files[destination] = self.files.pop(source)
                return "moved", False
            case "create_directory", {"path": path}:
                self.folders.add(path)
                return f"Successfully created directory {path}", False
            case "get_file_info", {"path": path}:
                return f"size: {len(self.files[path])}", False
        raise AssertionError(tool)


class _Proxy:
    def __init__(self, run: Run) -> None:
        self._run = run

    def __getattr__(self, tool: str) -> Any:
        def method(**arguments: Any) -> str:
            return self._run.call(tool, arguments, sys._getframe(1))

        return method


def _exposed(namespace: dict[str, Any]) -> tuple[JsonObject, tuple[str, ...]]:
    variables: JsonObject = {}
    unexposed = []
    hidden = (types.ModuleType, types.FunctionType, type, _Proxy)
    for name, value in namespace.items():
        if name.startswith("__") or isinstance(value, hidden):
            continue
        if _is_json(value):
            variables[name] = _listed(value)
        else:
            unexposed.append(name)
    return variables, tuple(sorted(unexposed))


def _is_json(value: Any) -> bool:
    if type(value) in {list, tuple}:
        return all(map(_is_json, value))
    if type(value) is dict:
        return all(type(key) is str for key in value) and all(map(_is_json, value.values()))
    return value is None or type(value) in {str, int, float, bool}


def _listed(value: Any) -> Any:
    if type(value) in {list, tuple}:
        return [_listed(part) for part in value]
    if type(value) is dict:
        return {key: _listed(part) for key, part in value.items()}
    return value
