"""The worker inside the sandbox: runs blocks in one namespace and pauses at each tool call.

Standard library only. One command of the controller is answered by exactly one message: a pause
or a block's end, with the command's sequence number.

Replace abandons: the replacement runs nested inside the blocked call, and the worker's loop goes
on there. The old frames are never resumed and never unwound, so no `except`, `finally` or `with`
of the old program runs. Raising an exception instead could be swallowed by it.
"""

import ast
import builtins
import itertools
import json
import os
import resource
import signal
import socket
import sys
import types
from collections.abc import Iterator
from typing import Any, NoReturn, cast

from executors.worker import checks, exposure, failures, frames, frozen
from executors.worker.output import Output

__all__ = ["EXIT_MEMORY", "EXIT_PROTOCOL", "HEADROOM_BYTES", "serve"]

EXIT_MEMORY = 120
EXIT_PROTOCOL = 121
_MAX_ARGUMENT_BYTES = frames.MAX_PAYLOAD_BYTES - 8 * 1024 * 1024
HEADROOM_BYTES = 192 * 1024 * 1024
_RECURSION = 1000
_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
_OPTIMIZED = 0x1  # inspect.CO_OPTIMIZED: a function's code, not a module's or a class body's


class ToolError(Exception):
    """A tool answered with an error; its text is the tool's message."""


class _BadArgumentsError(TypeError):
    """A proxy method was called with what it does not take."""


class _BlockTimeoutError(BaseException):
    """The block has used its seconds; not an Exception, so that `except Exception` lets it by."""


ToolError.__module__ = _BadArgumentsError.__module__ = "builtins"
_BadArgumentsError.__name__ = _BadArgumentsError.__qualname__ = "TypeError"
_BlockTimeoutError.__module__ = "builtins"
_BlockTimeoutError.__name__ = _BlockTimeoutError.__qualname__ = "BlockTimeout"


def serve(channel: socket.socket, settings: dict[str, Any]) -> NoReturn:
    """Be a worker until the process ends: `settings` as the controller's start message has them."""
    _Guest(channel, settings).serve(ready=True)


class _Guest:
    """One worker: its namespace, its channel, and what of the program runs now."""

    def __init__(self, channel: socket.socket, settings: dict[str, Any]) -> None:
        self._channel = channel
        self._worker: int = settings["worker"]
        self._frames = frames.Frames()
        self._sequence = 0
        self._seconds: float = settings["block_seconds"]
        self._proxy_name: str = settings["proxy"]
        self._proxy = _make_proxy(self._proxy_name, settings["tools"], self._call)
        self._hidden = frozenset({self._proxy_name, "ToolError"})
        self._output = Output(settings["output_bytes"])
        self._module = types.ModuleType("__main__")
        self._sources: dict[int, tuple[types.CodeType, list[str], int]] = {}
        self._block = 0
        self._calls: dict[tuple[int, ...], tuple[int, int, int, int]] = {}
        self._armed = False
        self._running = False
        self._timed_out = False
        self._memory = resource.getrlimit(resource.RLIMIT_AS)
        sys.modules["__main__"] = self._module
        signal.signal(signal.SIGALRM, self._on_alarm)

    # The loop. What escapes it would run the old program's handlers: it must never raise.

    def serve(self, *, ready: bool = False) -> NoReturn:
        """Answer commands for ever."""
        try:
            self._allow_headroom()
            if ready:
                self._send({"kind": "ready"})
            while True:
                command = self._receive()
                if command["kind"] != "run":
                    os._exit(EXIT_PROTOCOL)
                self._run(command["code"])
        except MemoryError:
            os._exit(EXIT_MEMORY)
        except BaseException:
            os._exit(EXIT_PROTOCOL)

    def _run(self, code: str | None) -> None:
        kind, text = self._execute(code)
        self._allow_headroom()
        self._send(
            {
                "kind": "ended",
                "error": kind,
                "traceback": text,
                "printed": self._output.text(),
                "output_truncated": self._output.truncated,
            }
        )

    def _execute(self, code: str | None) -> tuple[str | None, str]:
        if code is None:
            return "syntax_error", "SyntaxError: the block is too large to be sent"
        try:
            tree = checks.parse(code)
            problems = checks.problems(tree, self._proxy_name)
            if problems:
                lines = [f"line {problem.line}: {problem.text}" for problem in problems]
                return problems[0].kind, "\n".join(lines[:50])
            program = compile(tree, "<block>", "exec", dont_inherit=True)
        except SyntaxError as error:
            return "syntax_error", _syntax_text(error)
        except (ValueError, RecursionError) as error:
            return "syntax_error", f"SyntaxError: {error}"
        except MemoryError:
            return "memory_error", "MemoryError: the block is too large"
        self._remember(program, code, tree)
        self._prepare()
        outer = sys.exc_info()[1]
        try:
            self._arm(self._seconds)
            exec(program, self._module.__dict__)
            self._disarm()
        except BaseException as error:
            self._armed = False
            return self._failure(error, outer)
        finally:
            self._running = False
        if self._timed_out:
            return "timeout_soft", "the block went on after its time was over"
        return None, ""

    def _prepare(self) -> None:
        """Set what an earlier block may have left changed."""
        self._output.start()
        sys.stdout = sys.stderr = self._output
        sys.settrace(None)
        sys.setprofile(None)
        module = self._module.__dict__
        module["__builtins__"] = builtins
        module[self._proxy_name] = self._proxy
        module["ToolError"] = ToolError
        signal.signal(signal.SIGALRM, self._on_alarm)
        self._timed_out = False
        # Abandoned frames stay below: count them out, so that each block has the same depth.
        depth = sum(1 for _ in _outward(sys._getframe()))
        sys.setrecursionlimit(depth + _RECURSION)

    def _failure(self, error: BaseException, outer: BaseException | None) -> tuple[str, str]:
        self._allow_headroom()
        left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
        self._running = False
        text = ""
        try:
            # A program's own __str__ runs in here, so its clock goes on.
            self._start_clock(left)
            text = failures.traceback_text(error, outer, self._lines_of)
            self._armed = False
        except BaseException:
            self._armed = False
            text = "the traceback could not be made"
        signal.setitimer(signal.ITIMER_REAL, 0)
        kinds: list[tuple[type[BaseException], str]] = [
            (ToolError, "tool_error"),
            (_BadArgumentsError, "bad_arguments"),
            (frozen.ConcurrencyError, "concurrency_error"),
            (SystemExit, "system_exit"),
            (MemoryError, "memory_error"),
            (BaseException, "user_exception"),
        ]
        if self._timed_out:
            return "timeout_soft", text
        # issubclass of the type, for a program's exception may lie about its __class__.
        return next(name for kind, name in kinds if issubclass(type(error), kind)), text

    # The pause.

    def _call(self, tool: str, positional: tuple[Any, ...], arguments: dict[str, Any]) -> str:
        running = self._running
        left = self._disarm()
        try:
            if not running:
                raise RuntimeError(f"{self._proxy_name} works only while a block runs")
            if positional:
                raise _BadArgumentsError(
                    f"{self._proxy_name}.{tool} takes keyword arguments only,"
                    f" and was called with {len(positional)} positional"
                )
            try:
                exact = exposure.exact_arguments(arguments, _MAX_ARGUMENT_BYTES)
            except TypeError as error:
                text = f"{self._proxy_name}.{tool}: {error}"
                raise _BadArgumentsError(text) from None
            self._allow_headroom()
            return self._pause(tool, exact, sys._getframe(2))
        finally:
            self._limit_memory()
            if running:
                self._arm(left)

    def _pause(self, tool: str, arguments: dict[str, Any], caller: types.FrameType) -> str:
        shown = exposure.show(_locals(caller, self._sources), self._module.__dict__, self._hidden)
        self._send(
            {
                "kind": "paused",
                "tool": tool,
                "arguments": arguments,
                "position": self._position(caller),
                **shown,
                "printed": self._output.text(),
            }
        )
        command = self._receive()
        if command["kind"] == "replace":
            self._abandon(command["code"])
        if command["kind"] != "resume":
            os._exit(EXIT_PROTOCOL)
        if command["text"] is None:
            raise MemoryError("the tool's answer is too large for the program")
        if command["is_error"]:
            raise ToolError(command["text"])
        return cast("str", command["text"])

    def _abandon(self, code: str | None) -> NoReturn:
        try:
            events = sys.modules.get("asyncio.events")
            if events is not None:
                events._set_running_loop(None)
            self._run(code)
        except MemoryError:
            os._exit(EXIT_MEMORY)
        except BaseException:
            os._exit(EXIT_PROTOCOL)
        self.serve()

    def _position(self, caller: types.FrameType) -> tuple[int, int, int, int]:
        """Return where the running block makes the call; a helper of an earlier block is passed."""
        for frame in _outward(caller):
            _, _, block = self._sources.get(id(frame.f_code), (None, None, -1))
            if block == self._block:
                instructions = frame.f_code.co_positions()
                line, end_line, column, end_column = next(
                    itertools.islice(instructions, frame.f_lasti // 2, None)
                )
                found = (line or 1, column or 0, end_line or line or 1, end_column or 0)
                return self._calls.get(found, found)
        return (1, 0, 1, 0)

    def _remember(self, program: types.CodeType, code: str, tree: ast.Module) -> None:
        self._block += 1
        lines = code.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for part in _codes(program):
            self._sources[id(part)] = (part, lines, self._block)
        self._calls = _method_calls(tree)

    def _lines_of(self, code: types.CodeType) -> list[str] | None:
        known = self._sources.get(id(code))
        return None if known is None else known[1]

    # The clock. Only a running block's seconds count, never those of a pause.

    def _on_alarm(self, *_: object) -> None:
        if self._armed:
            self._armed = False
            self._timed_out = True
            raise _BlockTimeoutError("the block has used its seconds")

    def _arm(self, seconds: float) -> None:
        self._limit_memory()
        self._running = True
        self._start_clock(seconds)

    def _start_clock(self, seconds: float) -> None:
        self._armed = True
        # Zero would stop the timer; a block that is out of time is told so at once.
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))

    def _disarm(self) -> float:
        self._armed = False
        self._running = False
        left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
        return left

    # Memory. The worker's own messages may use a little more than the program.

    def _allow_headroom(self) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (self._memory[1], self._memory[1]))

    def _limit_memory(self) -> None:
        limit = self._memory[1] - HEADROOM_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit, self._memory[1]))

    # The channel.

    def _send(self, value: dict[str, Any]) -> None:
        payload = frames.message({"seq": self._sequence, **value})
        self._sequence += 1
        self._channel.sendall(frames.frame(self._worker, payload))

    def _receive(self) -> dict[str, Any]:
        while True:
            found = self._frames.next()
            if found is not None:
                break
            data = self._channel.recv(1 << 20)
            if not data:
                os._exit(0)
            self._frames.feed(data)
        command = json.loads(found[1])
        if command["seq"] != self._sequence:
            os._exit(EXIT_PROTOCOL)
        return cast("dict[str, Any]", command)


def _make_proxy(name: str, tools: list[str], call: Any) -> object:
    """Make the object that a program calls tools through: one method a tool, nothing to set."""

    def method(tool: str) -> Any:
        def proxied(*positional: Any, **arguments: Any) -> str:
            return cast("str", call(tool, positional, arguments))

        proxied.__name__ = proxied.__qualname__ = tool
        return staticmethod(proxied)

    def missing(_: object, attribute: str) -> NoReturn:
        raise AttributeError(f"{name} has no tool {attribute!r}; it has {', '.join(tools)}")

    def fixed(*_: object) -> NoReturn:
        raise AttributeError(f"the tools of {name} cannot be changed")

    body: dict[str, Any] = {tool: method(tool) for tool in tools}
    body |= {"__slots__": (), "__getattr__": missing, "__setattr__": fixed, "__delattr__": fixed}
    return cast("object", type(name, (), body)())


def _outward(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _locals(
    caller: types.FrameType, sources: dict[int, tuple[types.CodeType, list[str], int]]
) -> dict[str, Any]:
    """Return the locals of the program's innermost function, a comprehension's names included."""
    found: dict[str, Any] = {}
    for frame in _outward(caller):
        code = frame.f_code
        if id(code) not in sources:
            continue
        if not code.co_flags & _OPTIMIZED:
            return found
        found = {**frame.f_locals, **found}
        if code.co_name not in _COMPREHENSIONS:
            return found
    return found


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if type(constant) is types.CodeType:
            yield from _codes(constant)


def _method_calls(tree: ast.Module) -> dict[tuple[int, ...], tuple[int, int, int, int]]:
    """Map where the compiler puts a method call broken over lines to where the call stands.

    It begins such a call's instruction at the method's name, so that a traceback shows that line.
    """
    moved: dict[tuple[int, ...], tuple[int, int, int, int]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            function = node.func
            if function.lineno != function.end_lineno:
                column = (function.end_col_offset or 0) - len(function.attr.encode())
                end = (node.end_lineno or 0, node.end_col_offset or 0)
                begin = (node.lineno, node.col_offset)
                moved[(function.end_lineno or 0, column, *end)] = (*begin, *end)
    return moved


def _syntax_text(error: SyntaxError) -> str:
    where = f"line {error.lineno}: " if error.lineno else ""
    source = f"\n    {error.text.strip()[:200]}" if error.text else ""
    return f"SyntaxError: {where}{error.msg}{source}"
