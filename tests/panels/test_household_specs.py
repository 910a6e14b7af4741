"""The cohorts of the official games, as the panels' specifications choose them."""

from hashlib import sha256
from pathlib import Path

import pytest

from controlscope.errors import InputError
from panels.spec import load_panel
from tests.households import official_games

SPECS = Path(__file__).parents[2] / "panels" / "specs"
DEVELOPMENT = 24


@pytest.mark.parametrize("name", ["alfworld-seen", "alfworld-seen-model"])
def test_the_seen_cohort_is_87_tasks_over_52_scenes_outside_those_of_the_rule(name: str) -> None:
    suite = official_games("alfworld-seen")
    panel = load_panel(SPECS / f"{name}.toml")
    assert (len(panel.tasks), len({task.category for task in panel.tasks})) == (87, 52)
    scenes = {task.category.removeprefix("scene-") for task in suite.tasks.values()}
    assert len(scenes) == 76
    by_number = {number: _first_scenes(scenes, number) for number in range(27)}
    assert set(panel.spec.left_out) == by_number[26]
    left = {
        number: sum(task.category not in left_out for task in suite.tasks.values())
        for number, left_out in by_number.items()
    }
    assert [number for number, count in left.items() if count == 87] == [26]


def _first_scenes(scenes: set[str], number: int) -> set[str]:
    order = sorted(scenes, key=lambda scene: sha256(f"{number}:{scene}".encode()).hexdigest())
    return {f"scene-{scene}" for scene in order[:DEVELOPMENT]}


@pytest.mark.parametrize("name", ["alfworld-unseen", "alfworld-unseen-model"])
def test_the_unseen_cohort_is_all_134_tasks_of_four_scenes(name: str) -> None:
    official_games("alfworld-unseen")
    panel = load_panel(SPECS / f"{name}.toml")
    assert (len(panel.tasks), len({task.category for task in panel.tasks})) == (134, 4)


def test_fast_reviews_that_fail_are_plan_errors_and_reasoning_ones_keep() -> None:
    official_games("alfworld-seen")
    panel = load_panel(SPECS / "alfworld-seen-model.toml")
    found = {
        (plan.row, plan.fallback, plan.models.reviewer.tool_choice, plan.models.reviewer.max_tokens)
        for plan in panel.runs
        if plan.models.reviewer is not None
    }
    assert found == {
        ("fast", "plan_error", "required", 8192),
        ("reasoning", "keep", "auto", 16384),
    }
    keeps = {plan.fallback for plan in panel.runs if plan.condition == "keep"}
    assert keeps == {"keep"}


def test_incomplete_data_are_noticed(tmp_path: Path) -> None:
    official_games("alfworld-unseen")
    text = (SPECS / "alfworld-unseen.toml").read_text()
    path = tmp_path / "spec.toml"
    path.write_text(text.replace("expects = 134", "expects = 135"))
    with pytest.raises(InputError, match="expects: 135 tasks, and suite alfworld-unseen gives 134"):
        load_panel(path)
