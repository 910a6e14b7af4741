"""AppWorld's engine on one data root: processes that wait with all apps imported, and their forks.

A world's process sees its own task without its ground truth; an evaluation is a fork of another
process, which sees all of the data and nothing of a world but what it has written.
"""

import atexit
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from controlscope.canonical import JsonObject
from controlscope.errors import InfrastructureError
from controlscope.roles import Score
from executors.confinement import SYSTEM
from executors.engine_process import EngineProcess, EngineSpec

__all__ = ["PYTHON", "Engine", "World", "engine_on"]

PYTHON = Path(__file__).resolve().parents[2] / ".appworld" / "venv" / "bin" / "python"
"""The interpreter of AppWorld's own environment."""

_HOST = Path(__file__).resolve().with_name("host.py")
# All apps are imported in 5 s of a processor, on a loaded machine in a minute.
_LONG_SECONDS = 300.0
_CALL_SECONDS = 60.0
_PROTECTED = "no_op_pass"


@cache
def engine_on(root: Path) -> "Engine":
    """Return this process's engine on a data root; it starts when it is first asked.

    InfrastructureError (data_missing) where AppWorld is not installed.
    """
    if not PYTHON.exists():
        raise InfrastructureError("data_missing", f"no AppWorld at {PYTHON}: make appworld")
    return Engine(root)


class Engine:
    """What opens and scores the worlds of one data root, `root/data`."""

    def __init__(self, root: Path) -> None:
        self._data = root.resolve() / "data"
        self._worlds: EngineProcess | None = None
        self._evaluations: EngineProcess | None = None
        atexit.register(self.close)

    async def open(self, task: str) -> "World":
        """Open a task in a process of its own."""
        if self._worlds is None or not self._worlds.alive:
            shared = (self._data / "api_docs", self._data / "base_dbs")
            self._worlds = EngineProcess.start(_spec(self._data, "worlds", shared))
        folder = self._data / "tasks" / task
        files = {"specs.json": folder / "specs.json"}
        files |= {f"dbs/{path.name}": path for path in sorted((folder / "dbs").iterdir())}
        texts = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
        process = await self._worlds.copied(_LONG_SECONDS)
        opened = await process.ask({"open": task, "files": texts}, _LONG_SECONDS)
        return World(self, task, process, opened["digest"])

    async def score(self, world: "World") -> Score:
        """Evaluate a world as it is, by the engine's own criteria, in another process.

        A protected criterion is one that an untouched world meets. InfrastructureError
        (task_script_failed) where the evaluation itself fails.
        """
        if self._evaluations is None or not self._evaluations.alive:
            self._evaluations = EngineProcess.start(_spec(self._data, "evaluations", (self._data,)))
        saved = await world.process.ask({"save": True}, _CALL_SECONDS)
        with await self._evaluations.copied(_LONG_SECONDS) as process:
            asked = {"evaluate": world.task, "files": saved["files"]}
            verdict = await process.ask(asked, _LONG_SECONDS)
        if "crashed" in verdict:
            detail = f"the evaluation of {world.task}: {verdict['crashed']}"
            raise InfrastructureError("task_script_failed", detail)
        return _score(verdict)

    def close(self) -> None:
        """End the processes that wait, and with them all forks."""
        for process in (self._worlds, self._evaluations):
            if process is not None:
                process.close()
        self._worlds = self._evaluations = None


@dataclass(frozen=True)
class World:
    """One world in a process of its own, and its digest when it was opened or copied."""

    engine: Engine
    task: str
    process: EngineProcess
    digest: str

    async def call(self, tool: str, arguments: JsonObject) -> JsonObject:
        """Make one request.

        The answer has its `text`, `is_error`, the `digest` after it, and the `seconds` that the
        engine itself took.
        """
        return await self.process.ask({"call": tool, "arguments": arguments}, _CALL_SECONDS)

    async def state(self) -> JsonObject:
        """Return what was written since the start, by app, and what was asked."""
        return await self.process.ask({"state": True}, _CALL_SECONDS)

    async def copied(self, digest: str) -> "World":
        """Fork the world, whose digest is this one."""
        return World(self.engine, self.task, await self.process.copied(_CALL_SECONDS), digest)

    def close(self) -> None:
        """End its process."""
        self.process.close()


def _score(verdict: JsonObject) -> Score:
    """Tell criteria by their numbers alone: their texts are the benchmark's secret."""
    criteria, failed = verdict["criteria"], verdict["failed"]
    protected = failed.count(_PROTECTED)
    message = f"{criteria - len(failed)} of {criteria} criteria hold"
    if protected:
        message += f"; {protected} of the others protect what was not to change"
    counts = {"criteria": criteria, "failed": len(failed), "protected_failed": protected}
    return Score(verdict["success"], message, counts)


def _spec(data: Path, use: str, visible: tuple[Path, ...]) -> EngineSpec:
    """Return how to run a process that waits for a use, and of the data sees what is `visible`."""
    system = [path for path in SYSTEM if path.exists()]
    base = PYTHON.resolve().parents[1]
    python = [PYTHON.parents[1]]
    if not any(base.is_relative_to(path) for path in system):
        python.append(base)
    return EngineSpec(
        command=(str(PYTHON), "-B", "-P", "-s", "-W", "ignore", str(_HOST), str(data), use),
        binds=tuple((path, str(path)) for path in (*system, *python, _HOST, *visible)),
        state="/engine",
        variables={"PYTHONHASHSEED": "0"},
    )
