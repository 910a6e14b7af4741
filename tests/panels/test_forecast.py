"""What a panel's models can cost at most, and what a pilot's spending says of the whole panel."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from controlscope.budgets import Budget
from controlscope.schedules import Continuous, Once, PerBlock, Schedule
from panels.forecast import bound_of, extrapolate
from panels.plans import Models
from panels.spec import load_panel
from reviewers.settings import ModelSettings

DEMO = Path(__file__).parents[2] / "panels" / "specs" / "demo.toml"
BLOCKS = Budget(calls=None, planning_turns=None, blocks=40, requests_per_block=250)


def test_known_tasks_count_as_they_are_and_the_others_as_their_mean() -> None:
    found = extrapolate([10.0, 20.0], 5)
    assert found.expected == 30 + 3 * 15
    assert (found.low, found.high) == (30 + 3 * 10, 30 + 3 * 20)
    # The three others vary, and so does the mean that they are given: 50 = variance of 10 and 20.
    assert found.deviation == pytest.approx(math.sqrt(3 * 50 + 9 * 50 / 2))


def test_a_pilot_of_all_tasks_leaves_nothing_to_foretell() -> None:
    found = extrapolate([1.0, 2.0, 4.0], 3)
    assert (found.expected, found.low, found.high, found.deviation) == (7.0, 7.0, 7.0, 0.0)


def test_one_task_has_no_spread() -> None:
    assert extrapolate([5.0], 4).deviation is None


@pytest.mark.parametrize(
    ("schedule", "budget", "reviews"),
    [
        (Continuous(), Budget(), 100),
        (Once(3), Budget(), 1),
        (PerBlock(), BLOCKS, 40),
        (Continuous(), BLOCKS, 10_000),
        (PerBlock(), Budget(calls=7), 7),
    ],
)
def test_reviews_are_bounded_by_the_schedule_and_by_the_budgets_that_there_are(
    schedule: Schedule, budget: Budget, reviews: int
) -> None:
    plan = load_panel(DEMO).runs[0]
    plan = replace(
        plan,
        task=replace(plan.task, budget=budget),
        schedule=schedule,
        models=Models(reviewer=ModelSettings(model="m", max_tokens=10)),
    )
    found = bound_of([plan])
    assert (found.requests, found.output) == (reviews, 10 * reviews)


def test_each_planning_turn_runs_one_of_the_blocks() -> None:
    plan = load_panel(DEMO).runs[0]
    planned = replace(
        plan,
        task=replace(plan.task, budget=BLOCKS),
        models=Models(planner=ModelSettings(model="m", max_tokens=10)),
    )
    assert bound_of([planned]).requests == 40
