"""Makes our household games: `python -m panels.households.generate FOLDER [SEED]`.

The engine's installed domain and grammar are put into each game, so that the games are made where
they are used and only this code is distributed.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from controlscope.errors import InfrastructureError, InputError
from panels.households.games import Game, draw_games
from panels.households.problem import game_file

__all__ = ["GAME", "SEED", "installed_texts", "main", "write_games"]

GAME = "game.tw-pddl"
"""The file of a game in its folder."""

SEED = 7
"""The seed of the built-in games."""


def write_games(folder: Path, seed: int = SEED) -> list[Game]:
    """Write every game to a new folder, each proved on the engine; the folder is whole or absent.

    InputError where the folder is there already or the engine is not installed,
    InfrastructureError (task_script_failed) where a game cannot be won by its plan.
    """
    if folder.exists():
        raise InputError(f"{folder}: it is there already; give a new folder")
    domain, grammar = installed_texts()
    games = draw_games(seed)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as made:
        whole = Path(made) / "games"
        for game in games:
            path = whole / game.folder / GAME
            path.parent.mkdir(parents=True)
            path.write_text(game_file(game, domain, grammar), encoding="utf-8")
        _prove(whole)
        whole.rename(folder)
    return games


def installed_texts() -> tuple[str, str]:
    """Return the installed engine's domain and grammar; InputError where it is not installed."""
    found = importlib.util.find_spec("alfworld")
    if found is None or found.origin is None:
        raise InputError("ALFWorld is not installed: pip install 'controlscope[alfworld]'")
    data = Path(found.origin).parent / "data"
    domain, grammar = (data / name for name in ("alfred.pddl", "alfred.twl2"))
    return domain.read_text(encoding="utf-8"), grammar.read_text(encoding="utf-8")


def _prove(folder: Path) -> None:
    games = sorted(folder.rglob(GAME))
    count = os.cpu_count() or 1
    with ThreadPoolExecutor(count) as threads:
        problems = threads.map(_problems, [games[first::count] for first in range(count)])
    said = "\n".join(filter(None, problems))
    if said:
        raise InfrastructureError("task_script_failed", said)


def _problems(games: Sequence[Path]) -> str:
    """Play games in a process of its own: the engine swaps standard output, and its memory grows.

    Returns what it says where a game cannot be won by its plan, and where it fails.
    """
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-B", "-m", "panels.households.prove", *map(str, games)],
            env={"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0", "ALFWORLD_DATA": cache},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=False,
        )
    return "" if done.returncode == 0 else done.stderr.strip()


def main() -> None:
    """Write the games to the folder that the command line names."""
    try:
        match sys.argv[1:]:
            case [folder]:
                games = write_games(Path(folder))
            case [folder, seed] if seed.isdecimal():
                games = write_games(Path(folder), int(seed))
            case _:
                raise InputError("use: python -m panels.households.generate FOLDER [SEED]")
    except InputError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None
    except InfrastructureError as error:
        print(error, file=sys.stderr)
        raise SystemExit(3) from None
    print(f"{len(games)} games, each won on the engine by its plan, in {folder}")


if __name__ == "__main__":
    main()
