import math
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from controlscope.canonical import encode
from controlscope.errors import InputError
from panels.plan import MAX_TASKS, Plan, plan_from_pilot, plan_from_rates, power_of
from panels.statistics import Outcomes, mcnemar


def _enumerated(tasks: int, p10: float, p01: float, alpha: float) -> float:
    """Add up every outcome of n tasks that rejects for the better condition."""
    total = 0.0
    for wins in range(tasks + 1):
        for losses in range(tasks + 1 - wins):
            better = wins > losses if p10 >= p01 else losses > wins
            p = mcnemar(wins, losses)
            if better and p is not None and p <= alpha:
                counts = [wins, losses, tasks - wins - losses]
                rates = [p10, p01, max(0.0, 1 - p10 - p01)]
                total += float(stats.multinomial.pmf(counts, tasks, rates))
    return total


@pytest.mark.parametrize("tasks", [1, 6, 20, 41])
@pytest.mark.parametrize(
    ("p10", "p01"), [(0.3, 0.1), (0.05, 0.2), (0.2, 0.2), (0.4, 0.0), (0.0, 0.4), (0.7, 0.3)]
)
@pytest.mark.parametrize("alpha", [0.05, 0.0625, 0.05 / 3])
def test_power_is_the_sum_over_every_outcome_that_rejects(
    tasks: int, p10: float, p01: float, alpha: float
) -> None:
    expected = _enumerated(tasks, p10, p01, alpha)
    assert power_of(tasks, p10, p01, alpha) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("alpha", [0.05, 0.25, 0.01])
def test_power_of_pairs_that_all_differ_is_that_of_the_binomial_test(alpha: float) -> None:
    for pairs in (5, 12, 300):
        wins = [w for w in range(pairs + 1) if stats.binomtest(w, pairs).pvalue <= alpha]
        needed = min((w for w in wins if 2 * w > pairs), default=pairs + 1)
        expected = stats.binom.sf(needed - 1, pairs, 0.75)
        assert power_of(pairs, 0.75, 0.25, alpha) == pytest.approx(expected, abs=1e-11)


def test_power_of_thousands_of_tasks_agrees_with_the_normal_approximation() -> None:
    tasks, p10, p01 = MAX_TASKS, 0.05, 0.035
    spread = math.sqrt(p10 + p01 - (p10 - p01) ** 2)
    # The critical difference is under the hypothesis, where the spread is slightly larger.
    critical = stats.norm.ppf(0.975) * math.sqrt(p10 + p01)
    expected = stats.norm.sf((critical - (p10 - p01) * math.sqrt(tasks)) / spread)
    assert power_of(tasks, p10, p01, 0.05) == pytest.approx(expected, abs=0.02)


@given(st.integers(1, 200), st.floats(0, 0.5), st.floats(0, 0.5), st.floats(0.001, 0.2))
def test_power_is_a_chance_and_the_names_of_the_conditions_do_not_matter(
    tasks: int, p10: float, p01: float, alpha: float
) -> None:
    power = power_of(tasks, p10, p01, alpha)
    assert -1e-9 <= power <= 1 + 1e-9
    assert power == pytest.approx(power_of(tasks, p01, p10, alpha), abs=1e-12)


def test_without_any_difference_between_pairs_nothing_is_ever_rejected() -> None:
    assert power_of(100, 0.0, 0.0, 0.05) == 0.0


def test_power_grows_with_wins_while_losses_stay() -> None:
    powers = [power_of(40, 0.1 + step / 50, 0.1, 0.05) for step in range(40)]
    assert all(one < next_one for one, next_one in pairwise(powers))


def test_the_tasks_needed_are_the_first_number_that_reaches_the_goal() -> None:
    plan = plan_from_rates(0.3, 0.1, tasks=20)
    assert plan.tasks_needed is not None
    powers = [power_of(n, 0.3, 0.1, 0.05) for n in range(1, plan.tasks_needed + 1)]
    assert powers[-1] >= 0.8
    assert max(powers[:-1]) < 0.8


def test_the_minimum_detectable_effect_is_the_first_that_reaches_the_goal() -> None:
    plan = plan_from_rates(0.12, 0.1, tasks=60)
    least = plan.minimum_detectable
    assert least is not None
    assert power_of(60, 0.1 + least, 0.1, 0.05) >= 0.8
    assert power_of(60, 0.1 + least - 0.0001, 0.1, 0.05) < 0.8


def test_what_no_panel_can_show_is_undefined() -> None:
    assert plan_from_rates(0.1, 0.1, tasks=50).tasks_needed is None
    assert plan_from_rates(0.0501, 0.05, tasks=50).tasks_needed is None
    # Five pairs cannot reach p <= 0.05: the least is 2 / 32.
    assert plan_from_rates(0.5, 0.1, tasks=5).minimum_detectable is None
    assert plan_from_rates(0.5, 0.0, tasks=6).minimum_detectable is not None
    assert plan_from_rates(0.5, 0.5, tasks=50).minimum_detectable is None


def test_draws_share_alpha_and_add_no_tasks() -> None:
    one = plan_from_rates(0.3, 0.1, tasks=60)
    four = plan_from_rates(0.3, 0.1, tasks=60, draws=4)
    assert (four.tasks, four.alpha_row) == (60, 0.0125)
    assert four.power == round(power_of(60, 0.3, 0.1, 0.0125), 6) < one.power
    assert (four.tasks_needed or 0) > (one.tasks_needed or 0)
    assert (four.minimum_detectable or 0) > (one.minimum_detectable or 0)


def _pilot(wins: int, losses: int, ties: int, lost: int = 0) -> tuple[Outcomes, Outcomes]:
    pairs: list[tuple[bool | None, bool | None]] = [
        *[(True, False)] * wins,
        *[(False, True)] * losses,
        *[(True, True)] * ties,
        *[(None, False)] * lost,
    ]
    a, b = ({f"t{i}": pair[side] for i, pair in enumerate(pairs)} for side in (0, 1))
    return a, b


def test_a_pilot_plans_as_its_smoothed_rates_do() -> None:
    plan = plan_from_pilot(*_pilot(4, 1, 15, lost=3), tasks=60, draws=2, alpha=0.1, power=0.9)
    stated = plan_from_rates(4.5 / 21.5, 1.5 / 21.5, tasks=60, draws=2, alpha=0.1, power=0.9)
    assert plan == stated


def test_a_pilot_without_losses_does_not_promise_that_there_are_none() -> None:
    plan = plan_from_pilot(*_pilot(3, 0, 17), tasks=20)
    assert plan.p01 > 0
    assert (plan.tasks_needed or 0) > (plan_from_rates(3 / 20, 0.0, tasks=20).tasks_needed or 0)


def test_a_pilot_without_a_pair_is_refused() -> None:
    with pytest.raises(InputError, match="no task has a score under both"):
        plan_from_pilot({"t": None}, {"t": True}, tasks=20)


@pytest.mark.parametrize(
    ("p10", "p01", "tasks", "draws", "alpha", "power", "named"),
    [
        (-0.1, 0.1, 20, 1, 0.05, 0.8, "p10 = -0.1"),
        (0.6, 0.6, 20, 1, 0.05, 0.8, "together at most 1"),
        (math.nan, 0.1, 20, 1, 0.05, 0.8, "p10 = nan"),
        (0.1, 0.1, 0, 1, 0.05, 0.8, "tasks = 0"),
        (0.1, 0.1, MAX_TASKS + 1, 1, 0.05, 0.8, f"tasks = {MAX_TASKS + 1}"),
        (0.1, 0.1, 20, 0, 0.05, 0.8, "draws = 0"),
        (0.1, 0.1, 20, 1, 0.0, 0.8, "alpha = 0.0"),
        (0.1, 0.1, 20, 1, 0.05, 1.0, "power = 1.0"),
    ],
)
def test_what_cannot_be_planned_is_named(
    p10: float, p01: float, tasks: int, draws: int, alpha: float, power: float, named: str
) -> None:
    with pytest.raises(InputError, match=named):
        plan_from_rates(p10, p01, tasks=tasks, draws=draws, alpha=alpha, power=power)


def test_the_plan_has_a_canonical_form() -> None:
    plan = plan_from_rates(0.3, 0.1, tasks=20)
    assert Plan(**plan.as_json()) == plan
    assert '"tasks_needed":84' in encode(plan.as_json())


def test_the_largest_plan_takes_moments() -> None:
    start = time.process_time()
    plan_from_rates(0.0501, 0.05, tasks=MAX_TASKS, draws=7)
    assert time.process_time() - start < 5
