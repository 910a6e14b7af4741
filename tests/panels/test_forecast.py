"""What a pilot's spending says of the whole panel."""

import math

import pytest

from panels.forecast import extrapolate


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
