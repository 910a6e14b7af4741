"""What the supervisor keeps of each worker that it has charge of; standard library only."""

import os
import signal
import socket
import time

from executors.worker import forking, frames

__all__ = ["Birth", "Worker"]

_GRACE_SECONDS = 1.0
"""How long a block that was told its time is over may go on before its worker is killed."""

_BIRTH_SECONDS = 5.0


class Worker:
    """A worker process as the supervisor knows it."""

    def __init__(
        self,
        number: int,
        pid: int,
        channel: socket.socket,
        seconds: float,
        gate: forking.Gate | None,
    ) -> None:
        self.number = number
        self.pid = pid
        self.gate = gate
        self.pidfd = os.pidfd_open(pid)
        self.channel = channel
        self.seconds = seconds
        self.inbox = frames.Frames()
        self.outbox = bytearray()
        self.spent = 0.0
        self.running_since: float | None = time.monotonic()
        self.closed = False
        self.killed: str | None = None

    def kill(self, why: str) -> None:
        """End it; the first reason stands."""
        if self.killed is None:
            self.killed = why
            os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Its end of the channel is shut: it must be ending, and if not, soon will be."""
        self.closed = True
        self.spent, self.running_since = self.seconds, time.monotonic()

    def deadline(self) -> float | None:
        """Return when it is to be killed, None while it is paused."""
        if self.running_since is None or self.killed is not None:
            return None
        return self.running_since + self.seconds + _GRACE_SECONDS - self.spent


class Birth:
    """A copy of a paused worker that has not said a word yet."""

    def __init__(self, original: Worker, channel: socket.socket) -> None:
        self.original = original
        self.channel = channel
        self.deadline = time.monotonic() + _BIRTH_SECONDS
