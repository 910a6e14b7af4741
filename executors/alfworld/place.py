"""A place for runs in a household: the engine's process, and our own worker for the program."""

import atexit
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from controlscope.canonical import JsonObject, digest
from controlscope.errors import InfrastructureError
from controlscope.roles import Copied, Over, Place, Sandbox, Score, Worker
from controlscope.tools import Observation, Tool
from executors.alfworld.engine import Engine, State, start_engine
from executors.worker.boxes.box import Maker
from executors.worker.client import Manner, forked, open_sandbox

__all__ = ["ACT", "GAME", "AlfworldOrigin"]

GAME = "game.tw-pddl"
"""The one file of a task's environment."""

ACT = "act"
"""The proxy and its one tool."""

_TOOLS = {
    ACT: Tool(
        ACT,
        "Take one action in the household. Returns what is observed and, in its last line, the"
        " commands that are admissible now, separated by semicolons.",
        {
            "type": "object",
            "properties": {"command": {"type": "string"}},
            "required": ["command"],
            "additionalProperties": False,
        },
        read_only=False,
        program_parameters=frozenset(),
    )
}
_RECYCLED_AFTER = 50
"""Games that one process of the engine plays: each leaves some memory behind (TextWorld #367)."""

_idle: list[Engine] = []


@atexit.register
def _close_idle() -> None:
    while _idle:
        _idle.pop().close()


class AlfworldEnvironment:
    """One game, as far as it has been played. `won` is the planner's own check of the goal."""

    def __init__(self, engine: Engine, state: State) -> None:
        self.engine = engine
        self.state = state

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The one primitive tool."""
        return _TOOLS

    @property
    def over(self) -> Over | None:
        """The episode is over as soon as the goal holds."""
        return "now" if self.state.won else None

    async def call(self, tool: str, arguments: JsonObject) -> Observation:
        """Take one action; a refused schema is answered here, and the engine's answers never fail.

        Commands match as the engine lists them: in lower case, without space around.
        """
        known = _TOOLS.get(tool)
        problem = f"there is no tool {tool}" if known is None else known.problem(arguments)
        if problem is not None:
            return Observation(problem, True, problem)
        self.state = await self.engine.step(arguments["command"].strip().lower())
        text = f"{self.state.feedback}\nAdmissible: {'; '.join(self.state.admissible)}"
        return Observation(text, False, text)

    async def digest(self) -> str:
        """Return the digest of the whole public state and of the facts behind it."""
        return digest(self.state.as_json())

    async def files(self) -> JsonObject:
        """Return the terminal state."""
        return {"state": self.state.as_json()}

    async def score(self) -> Score:
        """Tell whether the goal holds."""
        return Score(self.state.won, "the goal holds" if self.state.won else "the goal is not met")


@dataclass(frozen=True)
class AlfworldOrigin:
    """A game, the text that its task was told, and the back end of its programs."""

    game: Path
    instruction: str
    maker: Maker

    @asynccontextmanager
    async def opened(self, workspace: Path) -> AsyncIterator[Place]:
        """Load the game in an engine that waits, or in a new one. Nothing is written.

        InfrastructureError (environment_lost) where the engine opens it with another text.
        """
        engine = _idle.pop() if _idle else await start_engine()
        try:
            state = await engine.load(self.game.read_text(encoding="utf-8"))
            if self.instruction not in state.feedback:
                detail = f"the engine opens {self.game} with another text: {state.feedback!r}"
                raise InfrastructureError("environment_lost", detail)
            async with open_sandbox(
                ACT, [ACT], maker=self.maker, manner=Manner(positional=("command",))
            ) as sandbox:
                yield _AlfworldPlace(AlfworldEnvironment(engine, state), sandbox)
        except BaseException:
            engine.close()
            raise
        if engine.games < _RECYCLED_AFTER:
            _idle.append(engine)
        else:
            engine.close()

    def shown(self, tool: str, raw: str, is_error: bool) -> str:
        """Return an answer as it is: a household has no clock."""
        return raw


@dataclass(frozen=True)
class _AlfworldPlace:
    environment: AlfworldEnvironment
    sandbox: Sandbox

    @asynccontextmanager
    async def copied(self, worker: Worker) -> AsyncIterator[Copied]:
        """Let the engine's process fork itself, and fork the worker."""
        engine = await self.environment.engine.copied()
        try:
            async with forked(worker) as (sandbox, copy, paused):
                environment = AlfworldEnvironment(engine, self.environment.state)
                yield Copied(_AlfworldPlace(environment, sandbox), copy, paused)
        finally:
            engine.close()
