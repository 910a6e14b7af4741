"""What a household's action costs beside the bare engine's own step, side by side."""

import importlib.util
import os
import tempfile
from collections.abc import AsyncIterator, Callable
from itertools import count
from pathlib import Path
from typing import Any

from controlscope.errors import InfrastructureError
from executors.alfworld.place import ACT, AlfworldOrigin
from executors.worker.boxes.choosing import AUTO, chosen
from panels.figures import Figure, NotMeasuredError, ratios
from panels.suite import find_suite, load_suite

__all__ = ["steps"]

_STEPS_A_RUN = 20
_LOOK, _INVENTORY = "look", "inventory"


async def steps(runs: int) -> AsyncIterator[Figure]:
    """Measure an action through the environment beside the step of a bare engine in this process.

    NotMeasuredError where the engine or our games are not here.
    """
    if importlib.util.find_spec("alfworld") is None:
        raise NotMeasuredError("ALFWorld is not installed: make alfworld")
    try:
        task = next(iter(load_suite(find_suite("alfworld-mini")).tasks.values()))
    except InfrastructureError as missing:
        raise NotMeasuredError(missing.detail) from None
    bare_step = _bare(task.environment)
    turn, other = count(), count()

    async def action() -> None:
        command = (_LOOK, _INVENTORY)[next(turn) % 2]
        await place.environment.call(ACT, {"command": command})
        await place.environment.digest()

    async def bare() -> None:
        bare_step((_LOOK, _INVENTORY)[next(other) % 2])

    origin = AlfworldOrigin(task.environment, task.instruction, chosen(AUTO))
    with tempfile.TemporaryDirectory() as scratch:
        async with origin.opened(Path(scratch)) as place:
            for warm_up in (action, bare):
                await warm_up()
            found = await ratios(runs * _STEPS_A_RUN, action, bare)
    yield Figure("a household's action / a step of the bare engine", found, goal=1.3)


def _bare(game: Path) -> Callable[[str], Any]:
    """Load a game in this process, as the official environment does, and return its step."""
    with tempfile.TemporaryDirectory() as made:
        # The engine makes this folder when it is imported.
        os.environ.setdefault("ALFWORLD_DATA", made)
        import textworld
        from alfworld.agents.environment.alfred_tw_env import AlfredDemangler, AlfredInfos
        from textworld.envs import PddlEnv

    wanted = textworld.EnvInfos(won=True, admissible_commands=True, extras=["gamefile"])
    env = AlfredInfos(AlfredDemangler(PddlEnv(wanted), shuffle=False))
    env.load(str(game))
    env.reset()
    step: Callable[[str], Any] = env.step
    return step
