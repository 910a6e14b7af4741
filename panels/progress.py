"""Progress of a panel on standard error: a table that fills, or plain lines without a terminal."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.table import Table

from panels.folder import PanelFolder
from panels.plans import RunPlan
from panels.runner import Finished
from panels.spec import Panel

__all__ = ["progress"]

_PLAIN_SECONDS = 10.0


@contextmanager
def progress(panel: Panel, folder: PanelFolder, console: Console) -> Iterator[Finished]:
    """Show each condition's finished runs and an estimate of the time left."""
    board = _Board(panel, folder)
    if not console.is_terminal:
        console.print(board.line(), highlight=False, soft_wrap=True)
        yield board.plain(console)
        console.print(board.line(), highlight=False, soft_wrap=True)
        return
    with Live(board.table(), console=console, refresh_per_second=4, transient=True) as live:

        def finished(plan: RunPlan, error: str) -> None:
            board.count(plan, error)
            live.update(board.table())

        yield finished


class _Board:
    def __init__(self, panel: Panel, folder: PanelFolder) -> None:
        self._assigned = Counter(plan.condition for plan in panel.runs)
        self._before = [plan.condition for plan in panel.runs if folder.run(plan).exists()]
        self._done = Counter(self._before)
        self._lost: Counter[str] = Counter()
        self._last = ""
        self._started = time.monotonic()

    def count(self, plan: RunPlan, error: str) -> None:
        (self._lost if error else self._done)[plan.condition] += 1
        # Where single tasks are not shown, neither is their name: a run is told by its own.
        name = plan.id if plan.suite.only_totals else plan.task.id
        self._last = f"{name} {plan.program.name} {plan.condition}" + (error and f": {error}")

    def plain(self, console: Console) -> Finished:
        printed = time.monotonic()

        def finished(plan: RunPlan, error: str) -> None:
            nonlocal printed
            self.count(plan, error)
            if error or time.monotonic() - printed > _PLAIN_SECONDS:
                printed = time.monotonic()
                console.print(self.line(), highlight=False, soft_wrap=True)

        return finished

    def line(self) -> str:
        done, total = self._done.total(), self._assigned.total()
        lost = f", {self._lost.total()} lost to infrastructure" if self._lost else ""
        return f"{done} of {total} runs{lost}{self._left()}  {self._last}".rstrip()

    def table(self) -> Table:
        table = Table(title=self.line(), title_justify="left", title_style="")
        table.add_column("condition")
        table.add_column("runs", justify="right")
        table.add_column("lost", justify="right")
        for name, assigned in self._assigned.items():
            table.add_row(name, f"{self._done[name]} of {assigned}", str(self._lost[name]))
        return table

    def _left(self) -> str:
        now = self._done.total() - len(self._before) + self._lost.total()
        left = self._assigned.total() - self._done.total() - self._lost.total()
        if not now or not left:
            return ""
        return f", about {(time.monotonic() - self._started) / now * left:.0f} s left"
