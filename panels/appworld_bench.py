"""What AppWorld costs here, on the mini world: each figure a ratio to what it is built on."""

from collections.abc import AsyncIterator

from controlscope.errors import InfrastructureError
from executors.appworld.engine import Engine, World, engine_on
from panels.branch_bench import branches
from panels.figures import Figure, NotMeasuredError, ratios, seconds
from panels.suite import find_task

__all__ = ["worlds"]

_TASK = "appworld-mini/packing/packing_1"
_LABEL = "AppWorld's engine, mini world (ours): "
_TOOL = "supervisor.show_profile"
_PROGRAM = f"for turn in range(45):\n    apis.{_TOOL}()\n"
_EARLY, _LATE = 5, 40
_CALLS_A_RUN = 20
# Each takes several seconds.
_COLD_STARTS = 3


async def worlds(runs: int) -> AsyncIterator[Figure]:
    """Measure a world's opening, a call and a branch."""
    try:
        _, task = find_task(_TASK)
        engine = engine_on(task.environment)
    except InfrastructureError as missing:
        raise NotMeasuredError(missing.detail) from None
    name = task.folder.name

    async def warm() -> None:
        (await engine.open(name)).close()

    async def cold() -> None:
        alone = Engine(task.environment)
        try:
            (await alone.open(name)).close()
        finally:
            alone.close()

    await warm()
    found = await ratios(min(runs, _COLD_STARTS), warm, cold)
    yield Figure(f"{_LABEL}a fork of what waits / a cold start", found, goal=0.5)
    world = await engine.open(name)
    try:
        await world.call(_TOOL, {})
        calls = [await _call(world) for _ in range(runs * _CALLS_A_RUN)]
    finally:
        world.close()
    yield Figure(f"{_LABEL}a call by the controller / its request alone", tuple(calls), goal=1.3)
    async for figure in branches(_TASK, _PROGRAM, _EARLY, _LATE, runs, _LABEL):
        yield figure


async def _call(world: World) -> float:
    """Make a call; return its time as a multiple of what the engine itself took of it."""
    alone: list[float] = []

    async def call() -> None:
        alone.append((await world.call(_TOOL, {}))["seconds"])

    return await seconds(call) / alone[0]
