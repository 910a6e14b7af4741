"""Where a run's time goes; only worker and environment work is execution time."""

import time
from collections import defaultdict
from collections.abc import Awaitable
from typing import Literal, TypeAlias, TypeVar

__all__ = ["Clock", "Clocks"]

T = TypeVar("T")
Clock: TypeAlias = Literal["worker", "environment", "planner", "reviewer", "scoring"]


class Clocks:
    """Seconds spent in each part of one run. Latency of planner and reviewer decides nothing."""

    def __init__(self) -> None:
        self.seconds: defaultdict[Clock, float] = defaultdict(float)

    def copy(self) -> "Clocks":
        """Return clocks that go on from here apart from these."""
        copy = Clocks()
        copy.seconds.update(self.seconds)
        return copy

    async def measure(self, clock: Clock, work: Awaitable[T]) -> T:
        """Await work and add what it took, however it ends."""
        start = time.monotonic()
        try:
            return await work
        finally:
            self.seconds[clock] += time.monotonic() - start

    @property
    def execution_seconds(self) -> float:
        """Return worker and environment time, which the execution budget limits."""
        return self.seconds["worker"] + self.seconds["environment"]
