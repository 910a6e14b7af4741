import math
import random
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from panels.statistics import holm, mcnemar, wilson

_P_VALUES = st.lists(st.none() | st.floats(0, 1), max_size=6)


def test_mcnemar_is_the_binomial_test_of_the_discordant_pairs() -> None:
    for wins, losses in product(range(25), repeat=2):
        if wins + losses:
            expected = stats.binomtest(wins, wins + losses, 0.5).pvalue
            assert mcnemar(wins, losses) == pytest.approx(expected, rel=1e-12)
            assert mcnemar(wins, losses) == mcnemar(losses, wins)


def test_mcnemar_is_undefined_where_no_pair_differs() -> None:
    assert mcnemar(0, 0) is None


def test_mcnemar_of_thousands_of_pairs_is_exact() -> None:
    expected = stats.binomtest(2400, 5000, 0.5).pvalue
    assert mcnemar(2400, 2600) == pytest.approx(expected, rel=1e-9)
    assert mcnemar(3000, 0) == 0.0


@given(_P_VALUES)
def test_holm_is_the_closed_test_of_bonferroni_over_every_subset(p: list[float | None]) -> None:
    values = [1.0 if value is None else value for value in p]
    subsets = [
        chosen for size in range(1, len(p) + 1) for chosen in combinations(range(len(p)), size)
    ]
    for index, adjusted in enumerate(holm(p)):
        if p[index] is None:
            assert adjusted is None
        else:
            with_it = [chosen for chosen in subsets if index in chosen]
            closed = max(len(s) * min(values[i] for i in s) for s in with_it)
            assert adjusted == pytest.approx(min(1.0, closed))


@given(_P_VALUES, st.randoms(use_true_random=False))
def test_holm_follows_the_order_of_the_contrasts(p: list[float | None], rng: random.Random) -> None:
    order = rng.sample(range(len(p)), len(p))
    assert holm([p[i] for i in order]) == tuple(holm(p)[i] for i in order)


def test_an_undefined_contrast_stays_in_the_family() -> None:
    assert holm([0.02, None]) == (0.04, None)
    assert holm([]) == ()


@pytest.mark.parametrize("p", [-0.01, 1.01, math.nan])
def test_holm_refuses_what_is_no_p_value(p: float) -> None:
    with pytest.raises(ValueError, match="outside"):
        holm([0.5, p])


def test_wilson_is_the_score_interval() -> None:
    for n in (1, 2, 20, 87, 417):
        for successes in range(n + 1):
            expected = stats.binomtest(successes, n).proportion_ci(0.95, method="wilson")
            assert wilson(successes, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_is_undefined_without_trials_and_refuses_impossible_counts() -> None:
    assert wilson(0, 0) is None
    for successes, n in ((-1, 3), (4, 3), (0, -1)):
        with pytest.raises(ValueError, match="between 0 and n"):
            wilson(successes, n)
