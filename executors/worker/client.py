"""The controller's side of the isolated worker: a sandbox for a run, a worker for its blocks."""

import os
import signal
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import anyio

from controlscope.errors import InfrastructureError, WorkerLossKind, WorkerLostError
from controlscope.roles import Paused, Sandbox, Worker, WorkerEvent
from controlscope.tasks import INSTANT
from controlscope.tools import Observation
from executors.worker import events, frames, guest, sandboxes

__all__ = ["WorkerLimits", "open_sandbox", "probe"]

_ANSWER_SECONDS = 30.0
_CHUNK = 1 << 18

probe = sandboxes.probe


@dataclass(frozen=True)
class WorkerLimits:
    """What one worker may use.

    `block_seconds` is a block's running time, pauses not counted; `cpu_seconds` the processor
    time of the worker's whole life; `output_bytes` what is kept of a block's printing, as UTF-8.
    """

    block_seconds: float = 60.0
    memory_bytes: int = 512 * 1024 * 1024
    output_bytes: int = 64 * 1024
    cpu_seconds: int = 1800


@asynccontextmanager
async def open_sandbox(
    proxy: str, tools: Iterable[str], limits: WorkerLimits | None = None
) -> AsyncIterator[Sandbox]:
    """Start a sandbox whose programs call `tools` through the name `proxy`; kill it at the end.

    Call it from the main thread. InfrastructureError("sandbox_start_failed") where none starts.
    """
    started = sandboxes.start()
    try:
        sandbox = _Sandbox(started, proxy, tuple(tools), limits or WorkerLimits())
        await sandbox.wait_until_ready()
        yield sandbox
    finally:
        await started.close()


class _Sandbox:
    """One sandbox: its channel, and the number of its present worker."""

    def __init__(
        self, started: sandboxes.Started, proxy: str, tools: tuple[str, ...], limits: WorkerLimits
    ) -> None:
        self._started = started
        self._frames = frames.Frames()
        self._settings: dict[str, Any] = {
            "proxy": proxy,
            "tools": list(tools),
            "instant": INSTANT.timestamp(),
            "block_seconds": limits.block_seconds,
            "memory_bytes": limits.memory_bytes,
            "output_bytes": limits.output_bytes,
            "cpu_seconds": limits.cpu_seconds,
        }
        self.tools = frozenset(tools)
        self.limits = limits
        self.number = 0
        self._alive = False

    async def wait_until_ready(self) -> None:
        """Wait for the supervisor's first word."""
        try:
            await self._receive_own("ready", _ANSWER_SECONDS)
        except InfrastructureError as error:
            detail = f"{error.detail}: {self._started.complaint()}"
            raise InfrastructureError("sandbox_start_failed", detail) from None

    async def worker(self) -> Worker:
        """Start a worker with a fresh, empty namespace; an earlier one is ended."""
        if self._alive:
            await self.end_worker()
        self.number += 1
        self._alive = True
        await self.tell("start", **self._settings)
        try:
            events.read_ready(await self.receive(self.number, _ANSWER_SECONDS))
        except (events.ViolationError, WorkerLostError) as error:
            raise InfrastructureError("sandbox_lost", f"no worker starts: {error}") from None
        return _Worker(self, self.number)

    def has(self, number: int) -> bool:
        """Say whether a worker is the present one and has not ended, as far as was told."""
        return self._alive and self.number == number

    async def end_worker(self) -> None:
        """Kill the present worker and wait until it is gone."""
        await self.tell("kill")
        await self._receive_own("exit", _ANSWER_SECONDS)
        self._alive = False

    async def tell(self, kind: str, **values: Any) -> None:
        """Tell the supervisor something about the present worker."""
        message = frames.message({"kind": kind, "worker": self.number, **values})
        await self.send(frames.SUPERVISOR, message)

    async def send(self, worker: int, payload: bytes) -> None:
        """Send one message; InfrastructureError("sandbox_lost") where nobody reads."""
        rest = memoryview(frames.frame(worker, payload))
        while rest:
            try:
                rest = rest[self._started.channel.send(rest) :]
            except BlockingIOError:
                await anyio.wait_writable(self._started.channel)
            except OSError as error:
                raise InfrastructureError("sandbox_lost", str(error)) from None

    async def receive(self, worker: int, seconds: float) -> bytes:
        """Return the worker's next message; WorkerLostError where it ended instead.

        The supervisor bounds a worker's time; InfrastructureError("sandbox_lost") where it does
        not answer itself within `seconds`.
        """
        with _answer_within(seconds):
            while True:
                number, payload = await self._next()
                if number == worker:
                    return payload
                if number != frames.SUPERVISOR:
                    continue
                message = frames.value_of(payload)
                if message["kind"] == "exit" and message["worker"] == worker:
                    self._alive = False
                    raise _loss(message, self.limits)

    async def _receive_own(self, kind: str, seconds: float) -> None:
        with _answer_within(seconds):
            while True:
                number, payload = await self._next()
                if number == frames.SUPERVISOR and frames.value_of(payload)["kind"] == kind:
                    return

    async def _next(self) -> tuple[int, bytes]:
        while (found := self._frames.next()) is None:
            try:
                data = self._started.channel.recv(_CHUNK)
            except BlockingIOError:
                await anyio.wait_readable(self._started.channel)
                continue
            except OSError as error:
                raise InfrastructureError("sandbox_lost", str(error)) from None
            if not data:
                raise InfrastructureError("sandbox_lost", "its channel was closed")
            self._frames.feed(data)
        return found


@contextmanager
def _answer_within(seconds: float) -> Iterator[None]:
    try:
        with anyio.fail_after(seconds):
            yield
    except TimeoutError:
        text = f"it did not answer within {seconds:g} seconds"
        raise InfrastructureError("sandbox_lost", text) from None


class _Worker:
    """One worker: strictly a command, then its answer."""

    def __init__(self, sandbox: _Sandbox, number: int) -> None:
        self._sandbox = sandbox
        self._number = number
        self._sequence = 0
        self._paused = False

    async def run(self, code: str) -> WorkerEvent:
        """Start a block."""
        return await self._exchange({"kind": "run", "code": code})

    async def resume(self, observation: Observation) -> WorkerEvent:
        """Let the pending call return this observation (or raise ToolError)."""
        return await self._exchange(
            {"kind": "resume", "text": observation.text, "is_error": observation.is_error}
        )

    async def replace(self, code: str) -> WorkerEvent:
        """Abandon the block at its pending call and run `code` instead, with its own seconds."""
        return await self._exchange({"kind": "replace", "code": code})

    async def _exchange(self, command: dict[str, Any]) -> WorkerEvent:
        sandbox = self._sandbox
        if not sandbox.has(self._number):
            raise RuntimeError("this worker has ended; ask the sandbox for a fresh one")
        if self._paused == (command["kind"] == "run"):
            raise RuntimeError(f"{command['kind']} at the wrong time: a pause is answered once")
        self._sequence += 1
        payload = frames.message({"seq": self._sequence, **command})
        if len(payload) > frames.MAX_PAYLOAD_BYTES:
            # The worker answers what could not be sent as a program's own failure.
            command |= {"text": None} if "text" in command else {"code": None}
            payload = frames.message({"seq": self._sequence, **command})
        if "code" in command:
            await sandbox.tell("block")
        await sandbox.send(self._number, payload)
        limits = sandbox.limits
        answer = await sandbox.receive(self._number, limits.block_seconds + _ANSWER_SECONDS)
        try:
            event = events.read_event(answer, self._sequence, sandbox.tools, limits.output_bytes)
        except events.ViolationError as error:
            await sandbox.end_worker()
            raise WorkerLostError("protocol_violation", str(error)) from None
        self._paused = isinstance(event, Paused)
        return event


def _loss(message: dict[str, Any], limits: WorkerLimits) -> WorkerLostError:
    """Classify a worker's end by what the kernel says of it."""
    status, killed = message["status"], message["killed"]
    if killed == "wall_timeout":
        return WorkerLostError(killed, f"the block ran past its {limits.block_seconds:g} seconds")
    if killed is not None:
        return WorkerLostError("protocol_violation", "it did not keep to the protocol")
    if os.WIFEXITED(status):
        code = os.WEXITSTATUS(status)
        kind: WorkerLossKind = "worker_exit"
        if code == guest.EXIT_MEMORY:
            return WorkerLostError("oom_killed", "no memory was left to report with")
        if code == guest.EXIT_PROTOCOL:
            kind = "protocol_violation"
        return WorkerLostError(kind, f"its process ended with status {code}")
    number = os.WTERMSIG(status)
    name = signal.Signals(number).name if number in set(signal.Signals) else str(number)
    detail = f"its process was killed by {name}"
    if number == signal.SIGXCPU or message["cpu_seconds"] >= limits.cpu_seconds:
        return WorkerLostError("cpu_limit", f"it used {limits.cpu_seconds} s of processor time")
    if number == signal.SIGKILL and message["max_rss_bytes"] >= 0.9 * limits.memory_bytes:
        return WorkerLostError("oom_killed", detail)
    return WorkerLostError("worker_crash", detail)
