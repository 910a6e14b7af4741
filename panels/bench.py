"""What the instrument costs on this machine: each figure a ratio to what it is built on."""

import tempfile
from collections.abc import AsyncIterator
from functools import partial
from itertools import count
from pathlib import Path

from controlscope.roles import Score
from controlscope.tools import Observation
from executors.mcp.environment import open_environment, open_server
from executors.mcp.server import filesystem_server
from executors.mcp.server_pool import open_pool
from executors.mcp.workspace import prepare
from executors.worker.client import open_sandbox
from panels import appworld_bench, household_bench, scripts
from panels.branch_bench import branches
from panels.figures import Figure, Measure, ratios
from panels.suite import find_task

__all__ = ["MEASURES"]

_TASK = "filesystem/desktop/music_report"
_TOOL, _ARGUMENTS = "list_directory", {"path": "/workspace"}
_PROGRAM = "for turn in range(90):\n    fs.list_directory(path='/workspace')\n"
_EARLY, _LATE = 5, 80
_CALLS_A_RUN = 20


async def _calls(runs: int) -> AsyncIterator[Figure]:
    """Measure a call by the controller, and the pause before it, beside the bare client's call."""
    with tempfile.TemporaryDirectory() as scratch:
        initial, workspace = Path(scratch) / "initial", Path(scratch) / "workspace"
        await scripts.build(find_task(_TASK)[1], initial)
        prepare(initial, workspace)
        spec = filesystem_server()
        async with (
            open_server(spec, workspace) as bare,
            open_environment(spec, workspace, _unscored) as environment,
            open_sandbox("fs", environment.tools) as sandbox,
        ):
            worker = await sandbox.worker()
            await worker.run("while True: fs.list_directory(path='/workspace')")
            plain = partial(bare.client.call_tool, _TOOL, _ARGUMENTS)
            called = partial(environment.call, _TOOL, _ARGUMENTS)
            paused = partial(worker.resume, Observation("", False, ""))
            for warm_up in (plain, called, paused):
                await warm_up()
            samples = runs * _CALLS_A_RUN
            found = await ratios(samples, called, plain)
            yield Figure("a call by the controller / by the bare client", found, goal=1.1)
            found = await ratios(samples, paused, plain)
            yield Figure("a pause of the worker / a call by the bare client", found)


async def _starts(runs: int) -> AsyncIterator[Figure]:
    """Measure what is kept warm beside what it saves."""
    with tempfile.TemporaryDirectory() as scratch:
        initial, number = Path(scratch) / "initial", count()
        await scripts.build(find_task(_TASK)[1], initial)
        spec = filesystem_server()
        async with open_sandbox("fs", [_TOOL]) as sandbox, open_pool(spec, Path(scratch)) as pool:

            async def fresh_sandbox() -> None:
                async with open_sandbox("fs", [_TOOL]) as fresh:
                    await fresh.worker()

            async def warm_server() -> None:
                async with pool.branch(initial, 0, _unscored) as branched:
                    await branched.environment.call(_TOOL, _ARGUMENTS)

            async def fresh_server() -> None:
                workspace = Path(scratch) / str(next(number))
                prepare(initial, workspace)
                async with open_server(spec, workspace) as server:
                    await server.client.call_tool(_TOOL, _ARGUMENTS)

            await warm_server()
            found = await ratios(runs, sandbox.worker, fresh_sandbox)
            yield Figure("a new worker / a new sandbox with one", found, goal=0.5)
            found = await ratios(runs, warm_server, fresh_server)
            yield Figure("a branch's warm server / a fresh server", found, goal=0.5)


async def _branches(runs: int) -> AsyncIterator[Figure]:
    """Measure forks of a recorded run beside its replay."""
    async for figure in branches(_TASK, _PROGRAM, _EARLY, _LATE, runs):
        yield figure


async def _unscored(_: Path) -> Score:
    return Score(success=False, message="")


MEASURES: tuple[Measure, ...] = (
    _calls,
    _starts,
    _branches,
    household_bench.steps,
    appworld_bench.worlds,
)
"""All measures, in the order of the table. One whose engine is not installed says so."""
