"""What the statistics promise, by simulation; tolerances are four standard errors."""

import math

import numpy as np
import pytest

from panels.plan import power_of
from panels.statistics import Outcomes, cluster_bootstrap, holm, mcnemar, paired

pytestmark = pytest.mark.long


def _slack(rate: float, times: int) -> float:
    return 4 * math.sqrt(rate * (1 - rate) / times)


@pytest.mark.parametrize(("tasks", "rate"), [(20, 0.15), (87, 0.05), (168, 0.1)])
def test_mcnemar_rejects_a_true_hypothesis_as_often_as_computed_and_at_most_at_alpha(
    tasks: int, rate: float
) -> None:
    times = 20_000
    rng = np.random.default_rng(tasks)
    counts = rng.multinomial(tasks, [rate, rate, 1 - 2 * rate], size=times).tolist()
    p_values = [mcnemar(wins, losses) for wins, losses, _ in counts]
    rejected = sum(p is not None and p <= 0.05 for p in p_values) / times
    size = 2 * power_of(tasks, rate, rate, 0.05)
    assert size <= 0.05
    assert rejected == pytest.approx(size, abs=_slack(size, times))


@pytest.mark.parametrize("draws", [1, 3])
def test_the_computed_power_is_the_share_of_simulated_panels_that_reject(draws: int) -> None:
    times, tasks, p10, p01, alpha = 20_000, 60, 0.25, 0.08, 0.05 / draws
    rng = np.random.default_rng(draws)
    counts = rng.multinomial(tasks, [p10, p01, 1 - p10 - p01], size=times).tolist()
    rejected = sum(
        wins > losses and (mcnemar(wins, losses) or 0) <= alpha for wins, losses, _ in counts
    )
    power = power_of(tasks, p10, p01, alpha)
    assert 0.2 < power < 0.8
    assert rejected / times == pytest.approx(power, abs=_slack(power, times))


def _three_conditions(rng: np.random.Generator, tasks: int) -> list[Outcomes]:
    """Draw keep, arg and full, alike in every task; tasks differ in difficulty."""
    chance = rng.beta(0.7, 0.7, size=tasks)
    scores = rng.random((3, tasks)) < chance
    return [{f"t{i}": bool(score) for i, score in enumerate(row)} for row in scores]


def test_holm_keeps_any_false_rejection_within_alpha_where_single_tests_do_not() -> None:
    times, single, family = 3000, 0, 0
    rng = np.random.default_rng(3)
    for _ in range(times):
        keep, arg, full = _three_conditions(rng, 168)
        counts = [paired(a, b) for a, b in ((full, keep), (arg, keep), (full, arg))]
        p_values = [mcnemar(one.wins, one.losses) for one in counts]
        single += any(p is not None and p <= 0.05 for p in p_values)
        family += any(p is not None and p <= 0.05 for p in holm(p_values))
    assert family / times <= 0.05 + _slack(0.05, times)
    assert single / times > 0.05 + _slack(0.05, times)


def _covered(rng: np.random.Generator, clusters: int, seed: int) -> bool | None:
    """Draw a row whose clusters have rates of their own; the true difference is 0.10."""
    a, b, cluster_of = {}, {}, {}
    for cluster in range(clusters):
        rates = rng.dirichlet(9 * np.array([0.25, 0.15, 0.60]))
        for number, kind in enumerate(rng.choice(3, p=rates, size=2 + cluster % 3)):
            task = f"{cluster}/{number}"
            a[task], b[task] = kind != 1, kind != 0
            cluster_of[task] = f"{cluster}"
    ci95 = cluster_bootstrap(a, b, cluster_of, seed).ci95
    return None if ci95 is None else ci95[0] <= 0.1 <= ci95[1]


@pytest.mark.parametrize(("clusters", "times", "measured"), [(7, 1500, 0.88), (30, 600, 0.94)])
def test_the_interval_covers_too_rarely_with_seven_clusters_and_nearly_as_stated_with_thirty(
    clusters: int, times: int, measured: float
) -> None:
    rng = np.random.default_rng(clusters)
    found = [_covered(rng, clusters, seed) for seed in range(times)]
    covered = [one for one in found if one is not None]
    assert len(covered) > 0.95 * times
    share = sum(covered) / len(covered)
    assert share == pytest.approx(measured, abs=_slack(measured, times))
    assert (share + _slack(measured, times) < 0.95) == (clusters == 7)
