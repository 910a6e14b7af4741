"""Suites of household games, read from folders in ALFWorld's layout."""

import json
from collections import Counter
from pathlib import Path

import anyio
import pytest
from typer.testing import CliRunner

from controlscope.errors import InfrastructureError, InputError
from executors.alfworld.engine import start_engine
from panels.alfworld_suite import first_text
from panels.cli import app
from panels.households.games import TASK_TYPES
from panels.suite import find_suite, load_suite
from tests.households import official_games, our_games

SUITE = '[suite]\nname = "own"\nproxy = "act"\nkind = "alfworld"\nroot = "games"\nsplits = ["{}"]\n'
GAME = "pick_and_place_simple-Mug-None-Desk-308"


def a_game(*places: str, goal: str = "put a mug in desk") -> str:
    """Write as much of a game's file as a suite reads."""
    facts = [f"(receptacleAtLocation {place} loc_1)" for place in places]
    return json.dumps(
        {
            "pddl_problem": "(:init " + "\n".join(facts) + "(receptacleAtLocation ?r ?l))",
            "grammar": f'{{"task": [\n{{\n"rhs": "Your task is to: {goal}."\n}}\n]}}',
            "walkthrough": ["look"],
        }
    )


def own(folder: Path, game: str = GAME, split: str = "mine", text: str | None = None) -> Path:
    path = folder / "games" / split / game / "trial_1" / "game.tw-pddl"
    path.parent.mkdir(parents=True)
    path.write_text(a_game("Desk_bar_1") if text is None else text)
    (folder / "suite.toml").write_text(SUITE.format(split))
    return path


def test_a_game_is_a_task_of_its_scene_that_asks_what_the_engine_shows_first(
    tmp_path: Path,
) -> None:
    path = own(tmp_path)
    (task,) = load_suite(tmp_path).tasks.values()
    assert task.id == f"scene-308/{GAME}.trial_1"
    assert (task.category, task.split, task.environment) == ("scene-308", "mine", path)
    assert task.instruction.endswith("you see a desk 1.\n\nYour task is to: put a mug in desk.")
    assert sorted(task.programs) == ["P1", "P2"]
    assert (task.budget.calls, task.budget.planning_turns) == (100, 5)


def test_what_stands_in_the_room_is_numbered_from_the_last_of_its_kind() -> None:
    text = first_text(
        a_game("Shelf_bar_b", "Desk_bar_1", "Shelf_bar_a", "Sink_bar_1_bar_SinkBasin")
    )
    assert "you see a desk 1, a shelf 2, a shelf 1, and a sinkbasin 1." in text
    assert "you see a desk 1 and a shelf 1." in first_text(a_game("Shelf_bar_a", "Desk_bar_1"))


@pytest.mark.parametrize("text", ["{", "[]", '{"pddl_problem": "", "grammar": ""}', "{}"])
def test_a_file_that_is_no_game_is_named(tmp_path: Path, text: str) -> None:
    path = own(tmp_path, text=text)
    with pytest.raises(InputError, match=f"{path} is no game"):
        load_suite(tmp_path)


def test_a_folder_that_is_not_named_like_a_game_is_named(tmp_path: Path) -> None:
    own(tmp_path, game="mug-308")
    with pytest.raises(InputError, match="mug-308 is not named TYPE-OBJECT-MRECEPTACLE-TARGET"):
        load_suite(tmp_path)


def test_a_split_without_games_is_named_with_its_key(tmp_path: Path) -> None:
    own(tmp_path)
    (tmp_path / "suite.toml").write_text(SUITE.format("other"))
    with pytest.raises(InputError, match=r"suite.toml:6: suite.splits: no GAME/TRIAL/game.tw-pddl"):
        load_suite(tmp_path)


def test_official_games_that_are_not_all_there_are_said_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own(tmp_path / "json_2.1.1" / "x", split="valid_seen")
    (tmp_path / "json_2.1.1" / "x" / "games" / "valid_seen").rename(
        tmp_path / "json_2.1.1" / "valid_seen"
    )
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path))
    done = CliRunner().invoke(app, ["tasks", "alfworld-seen", "--json"])
    assert len(json.loads(done.stdout)) == 1
    assert "valid_seen holds 1 games, the official one 140" in done.stderr


@pytest.mark.parametrize("value", [None, "nowhere"])
def test_missing_official_games_are_no_error_of_the_user_s_files(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ALFWORLD_DATA", raising=False)
    if value is not None:
        monkeypatch.setenv("ALFWORLD_DATA", value)
    with pytest.raises(InfrastructureError, match=r"data_missing: .*alfworld-download"):
        load_suite(find_suite("alfworld-unseen"))


@pytest.mark.parametrize(
    ("name", "games", "scenes"), [("alfworld-seen", 140, 76), ("alfworld-unseen", 134, 4)]
)
def test_the_official_games_are_all_there(name: str, games: int, scenes: int) -> None:
    suite = official_games(name)
    assert not suite.notes
    assert len(suite.tasks) == games
    assert len({task.category for task in suite.tasks.values()}) == scenes
    if name == "alfworld-unseen":
        counts = Counter(task.category for task in suite.tasks.values())
        assert counts == {"scene-10": 77, "scene-219": 11, "scene-308": 27, "scene-424": 19}
    assert all(sorted(task.programs) == ["P1", "P2"] for task in suite.tasks.values())


def test_the_engine_opens_each_type_s_games_as_their_files_tell() -> None:
    suite = our_games()
    kinds = {
        task.environment.parent.parent.name.split("-")[0]: task for task in suite.tasks.values()
    }
    assert set(kinds) == set(TASK_TYPES.values())
    assert all(_opened([task.environment for task in kinds.values()]))


@pytest.mark.long
@pytest.mark.parametrize("name", ["alfworld-mini", "alfworld-seen", "alfworld-unseen"])
def test_the_engine_opens_every_game_as_its_file_tells(name: str) -> None:
    suite = our_games() if name == "alfworld-mini" else official_games(name)
    assert all(_opened([task.environment for task in suite.tasks.values()]))


def _opened(games: list[Path]) -> list[bool]:
    """Tell of each game whether the engine's first text is the one that its file gives."""

    async def opened() -> list[bool]:
        same = []
        engine = await start_engine()
        for game in games:
            text = game.read_text(encoding="utf-8")
            same.append((await engine.load(text)).feedback.endswith(first_text(text)))
        engine.close()
        return same

    return anyio.run(opened)
