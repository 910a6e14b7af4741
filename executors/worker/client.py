"""The controller's side of the isolated worker: a sandbox for a run, a worker for its blocks."""

import os
import signal
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import anyio

from controlscope.errors import (
    CopyRefusedError,
    InfrastructureError,
    WorkerLossKind,
    WorkerLostError,
)
from controlscope.roles import Paused, Sandbox, Worker, WorkerEvent
from controlscope.tasks import INSTANT
from controlscope.tools import Observation
from executors.worker import events, frames, guest, sandboxes

__all__ = ["WorkerLimits", "forked", "open_sandbox", "probe"]

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
        channel = _Channel(started, proxy, tuple(tools), limits or WorkerLimits())
        await channel.wait_until_ready()
        yield _Sandbox(channel)
    finally:
        await started.close()


@asynccontextmanager
async def forked(worker: Worker) -> AsyncIterator[tuple[Sandbox, Worker, Paused]]:
    """Copy a paused worker, with all its variables and its random state; end the copy on leaving.

    Yields a sandbox of the copy's own, in the same box, the copy, and its pause as it tells it
    itself. The original stays paused and can be copied again, as can the copy. One worker of a box
    runs at a time. CopyRefusedError where the kernel does not allow it.
    """
    assert isinstance(worker, _Worker), "only a worker of this back end can be copied"
    copy, paused = await worker.fork()
    sandbox = _Sandbox(copy.channel, copy.number)
    try:
        yield sandbox, copy, paused
    finally:
        with anyio.CancelScope(shield=True):
            await sandbox.end_worker()


class _Sandbox:
    """One run's workers, of which at most one lives, on a channel that others may share."""

    def __init__(self, channel: "_Channel", number: int | None = None) -> None:
        self._channel = channel
        self._number = number

    async def worker(self) -> Worker:
        """Start a worker with a fresh, empty namespace; an earlier one of this run is ended."""
        await self.end_worker()
        self._number = await self._channel.start_worker()
        return _Worker(self._channel, self._number)

    async def end_worker(self) -> None:
        """End the worker that lives."""
        if self._number is not None and self._channel.has(self._number):
            await self._channel.end_worker(self._number)


class _Channel:
    """One box: its channel, and the numbers of the workers that live in it."""

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
        self._last = 0
        self._alive: set[int] = set()

    async def wait_until_ready(self) -> None:
        """Wait for the supervisor's first word."""
        try:
            with _answer_within(_ANSWER_SECONDS):
                while (await self._own())["kind"] != "ready":
                    continue
        except InfrastructureError as error:
            detail = f"{error.detail}: {self._started.complaint()}"
            raise InfrastructureError("sandbox_start_failed", detail) from None

    async def start_worker(self) -> int:
        """Start a worker and return its number."""
        number = self.next_number()
        await self.tell("start", number, **self._settings)
        try:
            events.read_ready(await self.receive(number, _ANSWER_SECONDS))
        except (events.ViolationError, WorkerLostError) as error:
            raise InfrastructureError("sandbox_lost", f"no worker starts: {error}") from None
        return number

    def next_number(self) -> int:
        """Count one more worker as living."""
        self._last += 1
        self._alive.add(self._last)
        return self._last

    def has(self, number: int) -> bool:
        """Say whether a worker has not ended, as far as was told."""
        return number in self._alive

    async def end_worker(self, number: int) -> None:
        """Kill a worker and wait until it is gone."""
        await self.tell("kill", number)
        with _answer_within(_ANSWER_SECONDS):
            while self.has(number):
                await self._own()

    async def tell(self, kind: str, number: int, **values: Any) -> None:
        """Tell the supervisor something about a worker."""
        message = frames.message({"kind": kind, "worker": number, **values})
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
        not answer itself within `seconds`. CopyRefusedError where a copy is never to come.
        """
        with _answer_within(seconds):
            while True:
                number, payload = await self._next()
                if number == worker:
                    return payload
                if number == frames.SUPERVISOR:
                    message = self._heard(payload)
                    if message.get("worker") == worker:
                        raise _unborn(message) or _loss(message, self.limits)

    async def _own(self) -> dict[str, Any]:
        """Return the supervisor's next word of its own; what a worker says is dropped."""
        while True:
            number, payload = await self._next()
            if number == frames.SUPERVISOR:
                return self._heard(payload)

    def _heard(self, payload: bytes) -> dict[str, Any]:
        message = frames.value_of(payload)
        if message["kind"] in ("exit", "unborn"):
            self._alive.discard(message["worker"])
        return message

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

    def __init__(self, channel: _Channel, number: int, sequence: int = 0) -> None:
        self.channel = channel
        self.number = number
        self._sequence = sequence
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

    async def fork(self) -> tuple["_Worker", Paused]:
        """Copy this paused worker; return the copy and its own word on its pause."""
        if not (self._paused and self.channel.has(self.number)):
            raise RuntimeError("only a worker that is paused can be copied")
        copy = _Worker(self.channel, self.channel.next_number(), self._sequence + 1)
        await self.channel.tell("fork", self.number, copy=copy.number, seq=copy._sequence)
        event = await copy._answer()
        if not isinstance(event, Paused):
            await self.channel.end_worker(copy.number)
            raise WorkerLostError("protocol_violation", "a copy of a paused worker is not paused")
        return copy, event

    async def _exchange(self, command: dict[str, Any]) -> WorkerEvent:
        channel = self.channel
        if not channel.has(self.number):
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
            await channel.tell("block", self.number)
        await channel.send(self.number, payload)
        return await self._answer()

    async def _answer(self) -> WorkerEvent:
        channel, limits = self.channel, self.channel.limits
        answer = await channel.receive(self.number, limits.block_seconds + _ANSWER_SECONDS)
        try:
            event = events.read_event(answer, self._sequence, channel.tools, limits.output_bytes)
        except events.ViolationError as error:
            await channel.end_worker(self.number)
            raise WorkerLostError("protocol_violation", str(error)) from None
        self._paused = isinstance(event, Paused)
        return event


def _unborn(message: dict[str, Any]) -> Exception | None:
    """Say why a copy of a worker will never be, if that is what a message tells."""
    if message["kind"] != "unborn":
        return None
    if message["violation"]:
        return WorkerLostError("protocol_violation", "it did not copy itself as it was asked to")
    return CopyRefusedError("this kernel does not let a worker be copied")


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
