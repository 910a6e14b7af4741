"""The controller's side of the isolated worker: a sandbox for a run, a worker for its blocks."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import anyio

from controlscope.errors import CopyRefusedError, WorkerLostError
from controlscope.roles import Paused, Sandbox, Worker, WorkerEvent
from controlscope.tools import Observation
from executors.worker import events, frames
from executors.worker.boxes.box import Maker
from executors.worker.boxes.choosing import chosen
from executors.worker.channel import ANSWER_SECONDS, Channel, Manner, WorkerLimits, open_channel

__all__ = ["Manner", "WorkerLimits", "forked", "open_sandbox"]


@asynccontextmanager
async def open_sandbox(
    proxy: str,
    tools: Iterable[str],
    limits: WorkerLimits | None = None,
    maker: Maker | None = None,
    manner: Manner | None = None,
) -> AsyncIterator[Sandbox]:
    """Start a sandbox whose programs call `tools` through the name `proxy`; kill it at the end.

    A tool is a method below the proxy, by its dotted name; the one tool that has the proxy's own
    name is a function. `maker` is its back end, by default the first that works here. Call it from
    the main thread. InfrastructureError("sandbox_start_failed") where none starts.
    """
    wanted = (maker or chosen(), proxy, tuple(tools), limits or WorkerLimits(), manner or Manner())
    sandbox = _Sandbox(await open_channel(*wanted), owned=True)
    try:
        yield sandbox
    finally:
        await sandbox.close()


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
            await sandbox.close()


class _Sandbox:
    """One run's workers, of which at most one lives, on a channel that others may share.

    Where a worker broke the protocol the next one gets a new box; the old one is destroyed, by its
    owner where it is shared.
    """

    def __init__(self, channel: Channel, number: int | None = None, *, owned: bool = False) -> None:
        self._channel = channel
        self._number = number
        self._owned = owned

    async def worker(self) -> Worker:
        """Start a worker with a fresh, empty namespace; an earlier one of this run is ended."""
        await self.end_worker()
        if self._channel.tainted:
            await self.close()
            self._channel, self._owned = await self._channel.another(), True
        self._number = await self._channel.start_worker()
        return _Worker(self._channel, self._number)

    async def close(self) -> None:
        """Destroy the box, where it is this sandbox's own."""
        if self._owned:
            self._owned = False
            await self._channel.close()

    async def end_worker(self) -> None:
        """End the worker that lives."""
        if self._number is not None and self._channel.has(self._number):
            await self._channel.end_worker(self._number)


class _Worker:
    """One worker: strictly a command, then its answer."""

    def __init__(self, channel: Channel, number: int, sequence: int = 0) -> None:
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
        if not self.channel.maker.forks:
            raise CopyRefusedError("this back end does not copy workers")
        copy = _Worker(self.channel, self.channel.next_number(), self._sequence + 1)
        await self.channel.tell("fork", self.number, copy=copy.number, seq=copy._sequence)
        event = await copy._answer()
        if not isinstance(event, Paused):
            self.channel.tainted = True
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
        answer = await channel.receive(self.number, limits.block_seconds + ANSWER_SECONDS)
        try:
            event = events.read_event(answer, self._sequence, channel.tools, limits.output_bytes)
        except events.ViolationError as error:
            channel.tainted = True
            await channel.end_worker(self.number)
            raise WorkerLostError("protocol_violation", str(error)) from None
        self._paused = isinstance(event, Paused)
        return event
