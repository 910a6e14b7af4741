"""What a back end gives: a box whose supervisor was started, and the one channel to it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

__all__ = ["BACK_ENDS", "SUPERVISOR", "BackEnd", "Box", "Channel", "Maker"]

BackEnd: TypeAlias = Literal["bubblewrap", "docker", "landlock"]

BACK_ENDS: tuple[BackEnd, ...] = ("bubblewrap", "docker", "landlock")
"""In the order in which they are tried."""

SUPERVISOR = "from executors.worker.supervisor import main; main()"


class Channel(Protocol):
    """A stream of bytes that never blocks: BlockingIOError where it would, OSError at its end."""

    def fileno(self) -> int:
        """Return the descriptor to wait on."""
        ...

    def send(self, data: memoryview) -> int:
        """Send what goes at once; return how much."""
        ...

    def recv(self, size: int) -> bytes:
        """Return what has come; empty at the end."""
        ...


class Box(Protocol):
    """One isolated place with a supervisor."""

    @property
    def channel(self) -> Channel:
        """The way to the supervisor."""
        ...

    def complaint(self) -> str:
        """End a box that did not get ready; return what it said."""
        ...

    async def close(self) -> None:
        """End the box, all of it, and wait until it is gone."""
        ...


@dataclass(frozen=True)
class Maker:
    """A back end: `start` gives a box, `probe` runs one for real and says what is missing.

    `forks`: a paused worker can be copied in it.
    """

    name: BackEnd
    start: Callable[[], Awaitable[Box]]
    probe: Callable[[], str | None]
    forks: bool
