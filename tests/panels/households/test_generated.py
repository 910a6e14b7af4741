"""Our games are proved on the engine whenever they are made."""

from pathlib import Path

import pytest

from panels.households.generate import write_games
from tests.households import our_games


@pytest.mark.long
def test_every_game_is_lost_at_reset_and_won_by_its_plan_and_made_the_same_again(
    tmp_path: Path,
) -> None:
    our_games()
    for name in ("one", "again"):
        write_games(tmp_path / name)
    one, again = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in _files(tmp_path / name)}
        for name in ("one", "again")
    )
    assert len(one) == 48
    assert one == again
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "one"]


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
