"""The household engine: a game loaded, actions taken, and all that it says of the state."""

import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from controlscope.canonical import JsonObject
from controlscope.errors import InfrastructureError
from executors.confinement import SYSTEM
from executors.engine_process import EngineProcess, EngineSpec

__all__ = ["Engine", "State", "start_engine"]

_HOST = Path(__file__).with_name("host.py")
_STATE = "/engine"
_START_SECONDS = 120.0
# A reset can take a minute on a loaded machine.
_LOAD_SECONDS = 300.0
_STEP_SECONDS = 60.0
_HINT = (
    "install the extra with pip install 'controlscope[alfworld]', which compiles for minutes and"
    " needs build-essential and cmake"
)


@dataclass(frozen=True)
class State:
    """What the engine says of the game: `facts` is a hash of all that holds in its world."""

    feedback: str
    admissible: tuple[str, ...]
    won: bool
    facts: str

    def as_json(self) -> JsonObject:
        """Return the state as hashed and compared."""
        return {
            "feedback": self.feedback,
            "admissible": list(self.admissible),
            "won": self.won,
            "facts": self.facts,
        }


class Engine:
    """One process of the engine. `games` counts those that it has loaded: it grows with each."""

    def __init__(self, process: EngineProcess) -> None:
        self._process = process
        self.games = 0

    async def load(self, game: str) -> State:
        """Load a game, given as its file's text, and return its first state."""
        self.games += 1
        return _state(await self._process.ask({"load": game}, _LOAD_SECONDS))

    async def step(self, command: str) -> State:
        """Take one action."""
        return _state(await self._process.ask({"step": command}, _STEP_SECONDS))

    async def copied(self) -> "Engine":
        """Copy it with its game where it stands."""
        return Engine(await self._process.copied(_STEP_SECONDS))

    def close(self) -> None:
        """End it."""
        self._process.close()


async def start_engine() -> Engine:
    """Start a process; InfrastructureError (data_missing) where the engine is not installed."""
    process = EngineProcess.start(_spec())
    said = await process.answer(_START_SECONDS)
    if "missing" in said:
        process.close()
        detail = f"ALFWorld is not installed ({said['missing']}): {_HINT}"
        raise InfrastructureError("data_missing", detail)
    return Engine(process)


@cache
def _spec() -> EngineSpec:
    """Return how to run it: it sees this Python with its packages, and nothing of the project."""
    prefixes = {Path(sys.prefix), Path(sys.base_prefix), Path(sysconfig.get_path("purelib"))}
    seen = [*(path for path in SYSTEM if path.exists()), *sorted(prefixes), _HOST]
    return EngineSpec(
        command=(sys.executable, "-B", str(_HOST)),
        binds=tuple((path, str(path)) for path in seen),
        state=_STATE,
        # The engine makes a folder of its own when it is imported, and scratch files for a game.
        variables={"PYTHONHASHSEED": "0", "ALFWORLD_DATA": ".", "TMPDIR": "."},
    )


def _state(said: JsonObject) -> State:
    return State(said["feedback"], tuple(said["admissible"]), said["won"], said["facts"])
