import itertools
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from controlscope.errors import InputError
from panels.households.games import TASK_TYPES, Game, draw_games
from panels.households.generate import write_games
from panels.households.problem import game_file, problem

SEEDS = (7, 8, 9)
GRAMMAR = '"rhs": "Your task is to: UNKNOWN GOAL."'


def _games() -> list[Game]:
    return [game for seed in SEEDS for game in draw_games(seed)]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_scene_has_six_games_and_every_task_type_has_some(seed: int) -> None:
    games = draw_games(seed)
    assert Counter(game.scene for game in games) == dict.fromkeys(range(901, 909), 6)
    assert {game.task for game in games} == set(TASK_TYPES)
    assert len({game.kind.name for game in games}) == 4
    assert len({game.folder for game in games}) == 48


def test_a_seed_decides_every_byte_and_another_seed_gives_other_games() -> None:
    one, again, other = (
        [game_file(game, "domain", GRAMMAR) for game in draw_games(seed)] for seed in (7, 7, 8)
    )
    assert one == again
    assert one != other


def test_nothing_that_is_wanted_lies_in_its_target_at_the_start() -> None:
    for game in _games():
        places = [thing.place for thing in game.objects if thing.kind == game.wanted]
        assert len(places) == (2 if game.task == "two" else 1), game.folder
        assert game.target not in {place.kind for place in places if place}, game.folder


def test_a_plan_never_goes_to_where_it_is_and_opens_nothing_twice() -> None:
    for game in _games():
        places = [command for command in game.plan if command.startswith("go to ")]
        assert all(a != b for a, b in itertools.pairwise(places)), game.plan
        opened = [command for command in game.plan if command.startswith("open ")]
        assert len(opened) == len(set(opened)), game.plan


def test_every_name_in_the_facts_and_the_goal_is_declared() -> None:
    for game in _games():
        declared, rest = problem(game).split("(:init")
        names = set(re.findall(r"^(\S+) - ", declared, re.M))
        used = set(re.findall(r"\b\w*_bar_\w+|\b[A-Z]\w*Type\b", rest))
        assert used
        assert used <= names, (game.folder, used - names)


def test_a_grammar_without_the_goals_place_is_refused() -> None:
    game = draw_games(7)[0]
    assert f"Your task is to: {game.asked}." in game_file(game, "domain", GRAMMAR)
    with pytest.raises(ValueError, match="UNKNOWN GOAL"):
        game_file(game, "domain", "no place")


def test_games_are_not_written_over_a_folder_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is there already"):
        write_games(tmp_path)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], "use: python -m panels.households.generate FOLDER [SEED]"),
        (["games", "one"], "use: python -m panels.households.generate FOLDER [SEED]"),
        (["."], ".: it is there already; give a new folder"),
    ],
)
def test_wrong_use_ends_with_2_and_one_line(given: list[str], told: str) -> None:
    command = [sys.executable, "-m", "panels.households.generate", *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"{told}\n")
