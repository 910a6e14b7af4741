"""A place for runs in AppWorld: a world in the engine's process, and our own worker.

The program never is in the engine's process: that answers API calls alone, so that the pause, the
operations and the forks are those of every other environment.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from controlscope.canonical import JsonObject
from controlscope.roles import Copied, Over, Place, Sandbox, Score, Worker
from controlscope.tools import Observation, Tool, unsendable
from executors.appworld.apis import tools_in
from executors.appworld.engine import World, engine_on
from executors.appworld.guard import PRIVATE
from executors.worker.boxes.box import Maker
from executors.worker.client import Manner, forked, open_sandbox

__all__ = ["AppworldEnvironment", "AppworldOrigin"]

_COMPLETES = "supervisor.complete_task"


class AppworldEnvironment:
    """One world. Its calls are made one after the other."""

    def __init__(self, world: World, tools: Mapping[str, Tool], over: Over | None = None) -> None:
        self._world = world
        self._tools = tools
        self._digest = world.digest
        self._over = over

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The documented APIs, named `app.api`."""
        return self._tools

    @property
    def over(self) -> Over | None:
        """Whether the task was declared complete: the run ends with the block that did it."""
        return self._over

    async def call(self, tool: str, arguments: JsonObject) -> Observation:
        """Make one request; its value is shown as JSON, an error as the engine words it.

        What can be sent is checked by the engine alone, which takes some that a schema refuses.
        """
        known = tool in self._tools
        problem = unsendable(arguments) if known else f"there is no API {tool}"
        if problem is not None:
            return Observation(problem, True, problem)
        said = await self._world.call(tool, arguments)
        self._digest = said["digest"]
        if tool == _COMPLETES and not said["is_error"]:
            self._over = "after_block"
        return Observation(said["text"], said["is_error"], said["text"])

    async def digest(self) -> str:
        """Return the digest of what was written to the databases and asked of them."""
        return self._digest

    async def files(self) -> JsonObject:
        """Return what was written to the databases, by app, and what was asked of them."""
        return await self._world.state()

    async def score(self) -> Score:
        """Evaluate the world as it is; it goes on as it was."""
        return await self._world.engine.score(self._world)

    async def copied(self) -> "AppworldEnvironment":
        """Fork the world."""
        return AppworldEnvironment(await self._world.copied(self._digest), self._tools, self._over)

    def close(self) -> None:
        """End the world."""
        self._world.close()


@dataclass(frozen=True)
class AppworldOrigin:
    """A task of the data root `root`, by the engine's own id, and the back end of its programs."""

    root: Path
    task: str
    proxy: str
    maker: Maker

    @asynccontextmanager
    async def opened(self, workspace: Path) -> AsyncIterator[Place]:
        """Open the task in a process of its own; the engine keeps its files elsewhere."""
        tools = tools_in(self.root)
        environment = AppworldEnvironment(await engine_on(self.root).open(self.task), tools)
        try:
            manner = Manner(values=True, private=PRIVATE, instant=self._instant())
            async with open_sandbox(self.proxy, tools, maker=self.maker, manner=manner) as sandbox:
                yield _AppworldPlace(environment, sandbox)
        finally:
            environment.close()

    def _instant(self) -> datetime:
        """Read where the world's clock stands, so that a program's stands there too."""
        specs = self.root / "data" / "tasks" / self.task / "specs.json"
        text: str = json.loads(specs.read_text(encoding="utf-8"))["datetime"]
        return datetime.fromisoformat(text).replace(tzinfo=UTC)

    def shown(self, tool: str, raw: str, is_error: bool) -> str:
        """Return an answer as it is: the engine's own clock is frozen."""
        return raw


@dataclass(frozen=True)
class _AppworldPlace:
    environment: AppworldEnvironment
    sandbox: Sandbox

    @asynccontextmanager
    async def copied(self, worker: Worker) -> AsyncIterator[Copied]:
        """Fork the engine's process, at rest while its call is pending, and the worker."""
        environment = await self.environment.copied()
        try:
            async with forked(worker) as (sandbox, copy, paused):
                yield Copied(_AppworldPlace(environment, sandbox), copy, paused)
        finally:
            environment.close()
