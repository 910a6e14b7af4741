"""The worker inside the sandbox: runs blocks in one namespace and pauses at each tool call.

Standard library only. One command of the controller is answered by exactly one message: a pause
or a block's end, with the command's sequence number.

Replace abandons: the replacement runs nested inside the blocked call, and the worker's loop goes
on there. The old frames are never resumed and never unwound, so no `except`, `finally` or `with`
of the old program runs. Raising an exception instead could be swallowed by it.
"""

import builtins
import os
import resource
import signal
import socket
import sys
import time
import types
from typing import Any, NoReturn

from executors.worker import exposure, failures, forking, frames, frozen
from executors.worker.blocks import Blocks, RefusedError, outward
from executors.worker.output import Output
from executors.worker.proxy import BadArgumentsError, ToolError, make_proxy, named

__all__ = ["EXIT_MEMORY", "EXIT_PROTOCOL", "HEADROOM_BYTES", "serve"]

EXIT_MEMORY = 120
EXIT_PROTOCOL = 121
_MAX_ARGUMENT_BYTES = frames.MAX_PAYLOAD_BYTES - 8 * 1024 * 1024
HEADROOM_BYTES = 192 * 1024 * 1024
_RECURSION = 1000
_PAUSE_DEPTH = 80  # calls that a pause itself may need
_TELLING_SECONDS = 0.2
_AGAIN_SECONDS = 0.1


_monotonic = time.monotonic  # a program may change the module's


class _BlockTimeoutError(BaseException):
    """The block has used its seconds; not an Exception, so that `except Exception` lets it by."""


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
        self._passed: int | None = None
        self._sequence = 0
        self._seconds: float = settings["block_seconds"]
        self._left = self._seconds
        self._since = _monotonic()
        self._proxy_name: str = settings["proxy"]
        self._proxy = make_proxy(self._proxy_name, settings["tools"], self._call, self._missed)
        self._positional: list[str] = settings["positional"]
        self._values: bool = settings["values"]
        self._private = frozenset(settings["private"])
        self._refused = {"unknown": 0, "positional": 0}
        self._hidden = frozenset({self._proxy_name, "ToolError"})
        self._output = Output(settings["output_bytes"])
        self._module = types.ModuleType("__main__")
        self._blocks = Blocks()
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
                # A replacement goes on with its block's output; only a new block starts anew.
                self._output.start()
                self._refused = {"unknown": 0, "positional": 0}
                self._run(command["code"])
        except MemoryError:
            os._exit(EXIT_MEMORY)
        except BaseException:
            os._exit(EXIT_PROTOCOL)

    def _run(self, code: str | None) -> None:
        self._left = self._seconds
        # Abandoned frames stay below: count them out, so that each block has the same depth.
        depth = sum(1 for _ in outward(sys._getframe()))
        sys.setrecursionlimit(depth + _RECURSION)
        kind, text = self._execute(code)
        self._allow_headroom()
        self._send(
            {
                "kind": "ended",
                "error": kind,
                "traceback": failures.cut(text),
                "printed": self._output.text(),
                "output_truncated": self._output.truncated,
                **self._refused,
            }
        )

    def _execute(self, code: str | None) -> tuple[str | None, str]:
        if code is None:
            return "syntax_error", "SyntaxError: the block is too large to be sent"
        try:
            space = self._module.__dict__
            program = self._blocks.add(code, self._proxy_name, space, self._private)
        except RefusedError as refused:
            return refused.kind, refused.text
        except MemoryError:
            return "memory_error", "MemoryError: the block is too large"
        self._prepare()
        outer = sys.exc_info()[1]
        try:
            self._arm()
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
        sys.stdout = sys.stderr = self._output
        sys.settrace(None)
        sys.setprofile(None)
        module = self._module.__dict__
        module["__builtins__"] = builtins
        module[self._proxy_name] = self._proxy
        module["ToolError"] = ToolError
        signal.signal(signal.SIGALRM, self._on_alarm)
        for timer in (signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            signal.setitimer(timer, 0)
        self._timed_out = False

    def _failure(self, error: BaseException, outer: BaseException | None) -> tuple[str, str]:
        self._allow_headroom()
        self._disarm()
        try:
            # A program's own __str__ runs in here, so its clock goes on.
            self._start_clock(_TELLING_SECONDS)
            text = failures.traceback_text(error, outer, self._blocks.lines_of)
            self._armed = False
        except BaseException:
            text = f"{type.__dict__['__name__'].__get__(type(error))}: <it could not be told>"
        self._disarm()
        kinds: list[tuple[type[BaseException], str]] = [
            (ToolError, "tool_error"),
            (BadArgumentsError, "bad_arguments"),
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

    def _missed(self) -> None:
        self._refused["unknown"] += 1

    def _call(self, tool: str, positional: tuple[Any, ...], arguments: dict[str, Any]) -> Any:
        # A RecursionError later than this would leave the clock or the channel out of step.
        _descend(_PAUSE_DEPTH)
        running = self._running
        self._disarm()
        try:
            if not running:
                raise RuntimeError(f"{self._proxy_name} works only while a block runs")
            own = tool == self._proxy_name
            shown = tool if own else f"{self._proxy_name}.{tool}"
            if positional:
                names = self._positional if own else []
                self._refused["positional"] += not names
                arguments = named(shown, names, positional, arguments)
            try:
                exact = exposure.exact_arguments(arguments, _MAX_ARGUMENT_BYTES)
            except TypeError as error:
                raise BadArgumentsError(f"{shown}: {error}") from None
            self._allow_headroom()
            return self._pause(tool, exact, sys._getframe(2))
        finally:
            self._limit_memory()
            if running:
                self._arm()

    def _pause(self, tool: str, arguments: dict[str, Any], caller: types.FrameType) -> Any:
        call = {"tool": tool, "arguments": arguments}
        self._tell_pause(call, caller)
        command = self._receive()
        while command["kind"] == "fork":
            if self._is_copy(command["worker"]):
                self._tell_pause(call, caller)
            command = self._receive()
        if command["kind"] == "replace":
            self._abandon(command["code"])
        if command["kind"] != "resume":
            os._exit(EXIT_PROTOCOL)
        if command["text"] is None:
            raise MemoryError("the tool's answer is too large for the program")
        if command["is_error"]:
            raise ToolError(command["text"])
        return exposure.read_value(command["text"]) if self._values else command["text"]

    def _tell_pause(self, call: dict[str, Any], caller: types.FrameType) -> None:
        shown = exposure.show(self._blocks.locals(caller), self._module.__dict__, self._hidden)
        self._send(
            {
                "kind": "paused",
                **call,
                "position": self._blocks.position(caller),
                **shown,
                "printed": self._output.text(),
                **self._refused,
            }
        )

    def _is_copy(self, number: int) -> bool:
        """Go on as two: in the copy, which is worker `number` with a channel of its own, say so.

        The original waits on, and says nothing; where it may not clone itself, the supervisor sees
        the new channel's end.
        """
        if self._passed is None:
            os._exit(EXIT_PROTOCOL)
        channel, self._passed = socket.socket(fileno=self._passed), None
        if forking.clone_beside() != 0:
            channel.close()
            return False
        self._channel.close()
        self._channel, self._worker = channel, number
        return True

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

    # The clock. It runs from each command to its answer, as the supervisor's does; a pause is free.

    def _on_alarm(self, *_: object) -> None:
        if self._armed:
            self._timed_out = True
            raise _BlockTimeoutError("the block has used its seconds")

    def _arm(self) -> None:
        self._limit_memory()
        self._running = True
        self._start_clock(self._left - (_monotonic() - self._since))

    def _start_clock(self, seconds: float) -> None:
        self._armed = True
        # Zero would stop the timer; a block that is out of time is told so at once. And told
        # again, for the first time may be lost: swallowed, or at the recursion limit.
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), _AGAIN_SECONDS)

    def _disarm(self) -> None:
        self._armed = False
        self._running = False
        signal.setitimer(signal.ITIMER_REAL, 0)

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
        self._left -= _monotonic() - self._since

    def _receive(self) -> dict[str, Any]:
        while True:
            found = self._frames.next()
            if found is not None:
                break
            data, descriptor = forking.receive(self._channel, 1 << 20)
            if not data:
                os._exit(0)
            if descriptor is not None:
                self._passed = descriptor
            self._frames.feed(data)
        self._since = _monotonic()
        command = frames.value_of(found[1])
        if command["seq"] != self._sequence:
            os._exit(EXIT_PROTOCOL)
        return command


def _descend(levels: int) -> None:
    """Raise the RecursionError that so many nested calls would raise."""
    if levels:
        _descend(levels - 1)
