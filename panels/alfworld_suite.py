"""Household games of ALFWorld's form in a folder of splits: `SPLIT/GAME/TRIAL/game.tw-pddl`.

GAME is `TYPE-OBJECT-MRECEPTACLE-TARGET-SCENE`. A task's category is its scene, the unit that its
figures are clustered by; what it asks is the engine's first text, read from the game's own file.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ValidationError

from controlscope.budgets import Budget
from controlscope.errors import InfrastructureError, InputError
from controlscope.tasks import Task
from executors.alfworld.place import GAME
from panels.households.authored import authored_programs
from panels.suite_file import SuiteFile, path_of
from panels.toml import place, read_text

__all__ = ["first_text", "load_alfworld"]

_OFFICIAL = {"valid_seen": 140, "valid_unseen": 134}
_VARIABLE = "ALFWORLD_DATA"
_DATA = "json_2.1.1"
_BUDGET = Budget(calls=100, planning_turns=5)
"""Actions, and ordinary repairs (paper, section 4)."""

_GAME = re.compile(r"(?P<type>[a-z_]+)-\w+-\w+-\w+-(?P<scene>\d+)")
_RECEPTACLE = re.compile(r"\(receptacleAtLocation ([^?\s]\S*) ")
_GOAL = re.compile(r'"task": \[\s*\{\s*"rhs": "([^"]*)"')


class _Game(BaseModel):
    """As much of a game's file as tells what the engine shows first."""

    pddl_problem: str
    grammar: str


def load_alfworld(path: Path, file: SuiteFile, seed: int) -> tuple[list[Task], tuple[str, ...]]:
    """Return the games of the splits that a `suite.toml` names, and what is odd about them.

    InfrastructureError (data_missing) where the data are not on this machine; InputError names a
    split or a game that is not of this form.
    """
    root = _root(path, file)
    tasks: list[Task] = []
    notes: list[str] = []
    for split in file.suite.splits or []:
        games = sorted((root / split).glob(f"*/*/{GAME}"))
        if not games:
            where = place(path, "suite", "splits")
            raise InputError(f"{where}: no GAME/TRIAL/{GAME} in {root / split}")
        expected = _OFFICIAL.get(split, len(games))
        if len(games) != expected:
            notes.append(f"{root / split} holds {len(games)} games, the official one {expected}")
        tasks += [_load_task(game, split, seed) for game in games]
    return tasks, tuple(notes)


def first_text(game: str) -> str:
    """Return the text that the engine opens a game with, from its file's: the room, then the goal.

    The engine names what stands in a room by its kind, and numbers each kind from its last to its
    first identifier. ValueError where the file is no game.
    """
    try:
        content = _Game.model_validate_json(game)
    except ValidationError:
        raise ValueError("no JSON object with a pddl_problem and a grammar") from None
    places = sorted({name.lower() for name in _RECEPTACLE.findall(content.pddl_problem)})
    goal = _GOAL.search(content.grammar)
    if not places or goal is None:
        raise ValueError("it names no receptacle or no goal")
    *most, last = _numbered(places)
    room = f"{', '.join(most)}, and {last}" if len(most) > 1 else " and ".join([*most, last])
    seen = f"You are in the middle of a room. Looking quickly around you, you see {room}."
    return f"{seen}\n\n{goal[1]}"


def _numbered(places: list[str]) -> Iterator[str]:
    kinds = [name.split("_bar_")[0] + "basin" * ("basin" in name) for name in places]
    left = Counter(kinds)
    for kind in kinds:
        yield f"a {kind} {left[kind]}"
        left[kind] -= 1


def _root(path: Path, file: SuiteFile) -> Path:
    """Find the folder of the splits: what the key names, or the official data."""
    if file.suite.root is not None:
        root = path_of(path, file.suite.root, "suite", "root")
        advice = f"{root} is not built: make alfworld"
    else:
        named = os.environ.get(_VARIABLE, "")
        root = Path(named).absolute() / _DATA
        advice = (
            f"no official games in {root if named else 'the variable ' + _VARIABLE}: run"
            f" `alfworld-download` and set {_VARIABLE} to its folder, which holds {_DATA}/"
        )
        if not named:
            raise InfrastructureError("data_missing", f"{file.suite.name}: {advice}")
    if not root.is_dir():
        raise InfrastructureError("data_missing", f"{file.suite.name}: {advice}")
    return root


def _load_task(game: Path, split: str, seed: int) -> Task:
    folder, trial = game.parts[-3:-1]
    named = _GAME.fullmatch(folder)
    if named is None:
        raise InputError(f"{game.parent.parent} is not named TYPE-OBJECT-MRECEPTACLE-TARGET-SCENE")
    try:
        text = first_text(read_text(game))
    except ValueError as error:
        raise InputError(f"{game} is no game: {error}") from None
    scene = f"scene-{named['scene']}"
    return Task(
        id=f"{scene}/{folder}.{trial}",
        kind="alfworld",
        category=scene,
        instruction=text,
        folder=game.parent,
        environment=game,
        seed=seed,
        code=True,
        budget=_BUDGET,
        programs=authored_programs(named["type"], text),
        split=split,
    )
