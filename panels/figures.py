"""A figure of the bench: a ratio of two things that were measured side by side."""

import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rich.table import Table

from controlscope.canonical import JsonObject

__all__ = ["Figure", "Measure", "NotMeasuredError", "figure_table", "ratios", "seconds"]

Measure: TypeAlias = Callable[[int], AsyncIterator["Figure"]]
"""Measures something the given number of times and yields its figures as they come."""


class NotMeasuredError(Exception):
    """What is to be measured is not installed here; the text says how to get it."""


@dataclass(frozen=True)
class Figure:
    """One figure: its samples in the order taken; `goal` is what its median may be at most."""

    name: str
    samples: tuple[float, ...]
    goal: float | None = None
    unit: str = "ratio"

    @property
    def value(self) -> float:
        """The median."""
        return statistics.median(self.samples)

    @property
    def holds(self) -> bool | None:
        """Whether the goal is kept; None without one."""
        return None if self.goal is None else self.value <= self.goal

    def as_json(self) -> JsonObject:
        """Return the figure for `--json`."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "goal": self.goal,
            "holds": self.holds,
            "runs": len(self.samples),
            "median": self.value,
            "min": min(self.samples),
            "max": max(self.samples),
        }


async def seconds(action: Callable[[], Awaitable[object]]) -> float:
    """Return how long one action takes."""
    started = time.perf_counter()
    await action()
    return time.perf_counter() - started


async def ratios(
    runs: int,
    measured: Callable[[], Awaitable[object]],
    beside: Callable[[], Awaitable[object]],
) -> tuple[float, ...]:
    """Time two actions in turn, each first in every other turn, and return measured / beside."""
    found = []
    for turn in range(runs):
        if turn % 2:
            other = await seconds(beside)
            found.append(await seconds(measured) / other)
        else:
            one = await seconds(measured)
            found.append(one / await seconds(beside))
    return tuple(found)


def figure_table(figures: Sequence[Figure]) -> Table:
    """Lay figures out: median, range, how often measured, and whether the goal holds."""
    table = Table("figure", "median", "min", "max", "runs", "goal", "holds")
    for figure in figures:
        goal = "" if figure.goal is None else f"≤ {figure.goal:g}"
        holds = {None: "", True: "yes", False: "NO"}[figure.holds]
        numbers = (figure.value, min(figure.samples), max(figure.samples))
        shown = [f"{number:.3g}" for number in numbers]
        table.add_row(figure.name, *shown, str(len(figure.samples)), goal, holds)
    return table
