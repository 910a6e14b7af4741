"""One box as the controller speaks to it: its frames, and the workers that live in it."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import anyio

from controlscope.errors import (
    CopyRefusedError,
    InfrastructureError,
    WorkerLossKind,
    WorkerLostError,
)
from controlscope.tasks import INSTANT
from executors.worker import events, frames, guest
from executors.worker.boxes.box import Box, Maker

__all__ = ["ANSWER_SECONDS", "Channel", "Manner", "WorkerLimits", "open_channel"]

ANSWER_SECONDS = 30.0
"""How long a supervisor may take for an answer of its own."""

_CHUNK = 1 << 18


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


@dataclass(frozen=True)
class Manner:
    """How programs meet their environment.

    `positional` are the names that arguments by position get, in the one tool that is a function.
    `values`: an answer that is JSON comes back as its value, not as text. `private` are names of
    what belongs to the environment alone: a block that reads one of them does not run. `instant` is
    where the programs' clock stands.
    """

    positional: tuple[str, ...] = ()
    values: bool = False
    private: tuple[str, ...] = ()
    instant: datetime = INSTANT


async def open_channel(
    maker: Maker, proxy: str, tools: tuple[str, ...], limits: WorkerLimits, manner: Manner
) -> "Channel":
    """Start a box and wait until its supervisor is ready."""
    channel = Channel(await maker.start(), maker, proxy, tools, limits, manner)
    try:
        await channel.wait_until_ready()
    except BaseException:
        await channel.close()
        raise
    return channel


class Channel:
    """One box: its channel, and the numbers of the workers that live in it."""

    def __init__(
        self,
        box: Box,
        maker: Maker,
        proxy: str,
        tools: tuple[str, ...],
        limits: WorkerLimits,
        manner: Manner,
    ) -> None:
        self._box = box
        self.maker = maker
        self.proxy = proxy
        self._manner = manner
        # Whether a worker broke the protocol: no other is started beside it.
        self.tainted = False
        self._frames = frames.Frames()
        self._settings: dict[str, Any] = {
            "proxy": proxy,
            "tools": list(tools),
            "positional": list(manner.positional),
            "values": manner.values,
            "private": list(manner.private),
            "instant": manner.instant.timestamp(),
            "block_seconds": limits.block_seconds,
            "memory_bytes": limits.memory_bytes,
            "output_bytes": limits.output_bytes,
            "cpu_seconds": limits.cpu_seconds,
        }
        self.tools = frozenset(tools)
        self.limits = limits
        self._last = 0
        self._alive: set[int] = set()

    async def another(self) -> "Channel":
        """Start a box like this one."""
        tools = tuple(sorted(self.tools))
        return await open_channel(self.maker, self.proxy, tools, self.limits, self._manner)

    async def close(self) -> None:
        """Destroy the box, all of it."""
        await self._box.close()

    async def wait_until_ready(self) -> None:
        """Wait for the supervisor's first word."""
        try:
            with _answer_within(ANSWER_SECONDS):
                while (await self._own())["kind"] != "ready":
                    continue
        except InfrastructureError as error:
            detail = f"{error.detail}: {self._box.complaint()}"
            raise InfrastructureError("sandbox_start_failed", detail) from None

    async def start_worker(self) -> int:
        """Start a worker and return its number."""
        number = self.next_number()
        await self.tell("start", number, **self._settings)
        try:
            events.read_ready(await self.receive(number, ANSWER_SECONDS))
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
        with _answer_within(ANSWER_SECONDS):
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
                rest = rest[self._box.channel.send(rest) :]
            except BlockingIOError:
                await anyio.wait_writable(self._box.channel)
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
                        refused = _unborn(message) or _loss(message, self.limits)
                        self.tainted |= getattr(refused, "kind", "") == "protocol_violation"
                        raise refused

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
                data = self._box.channel.recv(_CHUNK)
            except BlockingIOError:
                await anyio.wait_readable(self._box.channel)
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
