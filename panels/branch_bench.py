"""What a branch costs: a fork of a recorded run beside a replay of it."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial
from itertools import count
from pathlib import Path

from controlscope.schedules import Never
from controlscope.tasks import Block, Reply, SourceProgram
from panels import scripts
from panels.figures import Figure, ratios
from panels.launch import execute
from panels.plans import RunPlan
from panels.recorded import find_recorded
from panels.suite import find_task
from replay.fork import Stem, open_trunk
from replay.prefix import replay_prefix

__all__ = ["branches"]


async def branches(
    named: str, code: str, early: int, late: int, runs: int, label: str = ""
) -> AsyncIterator[Figure]:
    """Record a run of the block `code`, and measure forks of it at two of its calls."""
    suite, task = find_task(named)
    program = SourceProgram("bench", (Reply((Block("1", code),)),))
    plan = RunPlan(suite, task, program, "keep", "keep", Never(), "keep", "reply")
    with tempfile.TemporaryDirectory() as folder:
        scratch, number = Path(folder), count()
        await scripts.build(task, scratch / "initial")
        await execute(plan, scratch / "run", scratch / "initial")
        recorded = await find_recorded(scratch / "run", scratch / "built")

        async def fork(stem: Stem) -> None:
            async with stem.copied():
                pass

        async def replay() -> None:
            await replay_prefix(recorded, late, scratch / f"replay-{next(number)}")

        async with AsyncExitStack() as trunks:
            forks = []
            for boundary in (early, late):
                trunk = open_trunk(recorded, scratch / f"trunk-{boundary}")
                stem = await (await trunks.enter_async_context(trunk)).to(boundary)
                # Starts the trunk's server, before the next one is opened, as these are nested.
                await fork(stem)
                forks.append(partial(fork, stem))
            early_fork, late_fork = forks
            found = await ratios(runs, late_fork, early_fork)
            yield Figure(f"{label}a fork at call {late} / at call {early}", found, goal=1.5)
            found = await ratios(runs, late_fork, replay)
            yield Figure(f"{label}a fork at call {late} / a replay to it", found, goal=0.5)
