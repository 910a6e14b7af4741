"""Statistics of pairs: two conditions over the tasks of one row of a panel.

The unit is the task. A row is one program, mode and draw; rows are never pooled (paper, sections
4 and 5.1). Whatever may not be inferred is None, with the reason where there is more than one.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from statistics import NormalDist
from typing import TypeAlias

import numpy as np

__all__ = [
    "FEW_CLUSTERS",
    "RESAMPLES",
    "Bootstrap",
    "Bounds",
    "Floor",
    "Outcomes",
    "Paired",
    "bounds",
    "cluster_bootstrap",
    "holm",
    "mcnemar",
    "noise_floor",
    "paired",
    "wilson",
]

Outcomes: TypeAlias = Mapping[str, bool | None]
"""Success by task id, over all assigned tasks of a row; None where there is no score: the run was
lost by infrastructure, or is outstanding. Two conditions of a row have the same tasks."""

RESAMPLES = 9999
"""Bootstrap resamples: so many that the 2.5 % and 97.5 % points are themselves resamples, the
250th from either end, and nothing is interpolated."""

FEW_CLUSTERS = 10
"""Below so many clusters a bootstrap interval carries a warning."""

_TAIL = (RESAMPLES + 1) // 40 - 1
_Z95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Paired:
    """Condition a against b over the tasks that both have scored; all three are counts of tasks.

    A win is a task that a solves and b does not, a loss the reverse.
    """

    wins: int
    losses: int
    ties: int

    @property
    def n(self) -> int:
        """Return the number of pairs."""
        return self.wins + self.losses + self.ties

    @property
    def difference(self) -> float | None:
        """Return a's success rate minus b's, a proportion in [-1, 1]; None without pairs."""
        return (self.wins - self.losses) / self.n if self.n else None


def paired(a: Outcomes, b: Outcomes) -> Paired:
    """Compare two conditions of one row; ValueError where they were assigned different tasks."""
    nets = list(_nets(a, b).values())
    return Paired(nets.count(1), nets.count(-1), nets.count(0))


def _nets(a: Outcomes, b: Outcomes) -> dict[str, int]:
    """Return a's success minus b's (1, 0 or -1) of each task that both have scored."""
    _check_tasks(a, b)
    pairs = ((task, a[task], b[task]) for task in a)
    return {
        task: int(of_a) - int(of_b)
        for task, of_a, of_b in pairs
        if of_a is not None and of_b is not None
    }


def _check_tasks(a: Outcomes, b: Outcomes) -> None:
    if a.keys() != b.keys():
        raise ValueError("the conditions of a row must have the same assigned tasks")


def mcnemar(wins: int, losses: int) -> float | None:
    """Return the exact two-sided p of McNemar's test (McNemar 1947, with the binomial itself).

    The hypothesis: given that the conditions differ on a task, either is as likely to have solved
    it. Tasks count as independent: clusters do not enter. None where no pair differs: then there
    is nothing to test.
    """
    discordant = wins + losses
    if not discordant:
        return None
    tail = sum(math.comb(discordant, count) for count in range(min(wins, losses) + 1))
    # Whole numbers up to the one division: correctly rounded, however many pairs there are.
    return min(1.0, 2 * tail / (1 << discordant))


@dataclass(frozen=True)
class Bootstrap:
    """A 95 % interval of a difference, with all that it takes to compute it again.

    `ci95` is (low, high), proportions; None for the `reason` given. `warning` says in one line
    why an interval that exists is not to be relied on.
    """

    ci95: tuple[float, float] | None
    clusters: int
    seed: int
    resamples: int
    reason: str | None = None
    warning: str | None = None


def cluster_bootstrap(
    a: Outcomes, b: Outcomes, cluster_of: Mapping[str, str], seed: int
) -> Bootstrap:
    """Return the percentile interval of the paired difference under resampling of clusters.

    `cluster_of` names each task's category or scenario. A resample draws as many clusters as there
    are, with replacement, and takes every pair of each: its difference is the sum of wins minus
    losses over the number of pairs. The order of tasks does not matter, and exchanged conditions
    give the mirrored interval. Indices come from `Random(seed).random()`, whose sequence Python
    guarantees.

    There is no interval below two clusters, nor where every resample gives the same difference (no
    pair differs, or all clusters agree): its zero width would claim certainty.

    With few clusters it covers less than it says. Measured by simulation of clusters of two to four
    tasks with rates of their own: 0.88 with seven clusters (20 tasks), 0.94 with thirty.
    """
    members: dict[str, list[int]] = {}
    for task, net in _nets(a, b).items():
        members.setdefault(cluster_of[task], []).append(net)
    count = len(members)
    if count < 2:
        return Bootstrap(None, count, seed, 0, reason="fewer than two clusters")
    names = sorted(members)
    nets = np.array([sum(members[name]) for name in names])
    sizes = np.array([len(members[name]) for name in names])
    draw = Random(seed).random
    nets_drawn, sizes_drawn = np.zeros((2, RESAMPLES), dtype=np.int64)
    for _ in range(count):
        uniform = np.fromiter((draw() for _ in range(RESAMPLES)), dtype=float, count=RESAMPLES)
        chosen = (uniform * count).astype(np.int64)
        nets_drawn += nets[chosen]
        sizes_drawn += sizes[chosen]
    differences = np.sort(nets_drawn / sizes_drawn)
    if differences[0] == differences[-1]:
        return Bootstrap(
            None, count, seed, RESAMPLES, reason="every resample gives the same difference"
        )
    few = f"{count} clusters: below {FEW_CLUSTERS} the interval tends to be too narrow"
    return Bootstrap(
        (float(differences[_TAIL]), float(differences[-1 - _TAIL])),
        count,
        seed,
        RESAMPLES,
        warning=few if count < FEW_CLUSTERS else None,
    )


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Return Holm's adjusted p of each contrast of a family, in the given order (Holm 1979).

    Rejecting those at or below alpha keeps the chance of any false rejection within alpha, whatever
    the contrasts' dependence. The family is fixed before outcomes, so a contrast without a p (None)
    counts in its size and stays None. ValueError for a p outside [0, 1].
    """
    adjusted: list[float | None] = [None] * len(p_values)
    defined = sorted((p, index) for index, p in enumerate(p_values) if p is not None)
    if any(not 0 <= p <= 1 for p, _ in defined):
        raise ValueError("a p value lies outside [0, 1]")
    largest = 0.0
    for rank, (p, index) in enumerate(defined):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p))
        adjusted[index] = largest
    return tuple(adjusted)


def wilson(successes: int, n: int) -> tuple[float, float] | None:
    """Return Wilson's 95 % score interval (low, high) of one proportion (Wilson 1927).

    The trials count as independent. None for n = 0; ValueError where `successes` is not in 0 to n.
    """
    if not 0 <= successes <= n:
        raise ValueError("successes must lie between 0 and n")
    if not n:
        return None
    rate, square = successes / n, _Z95**2
    middle = rate + square / (2 * n)
    half = _Z95 * math.sqrt(rate * (1 - rate) / n + square / (4 * n**2))
    scale = 1 + square / n
    # The ends are exact for no success and for nothing but successes; rounding would pass them.
    low = 0.0 if successes == 0 else (middle - half) / scale
    high = 1.0 if successes == n else (middle + half) / scale
    return low, high


@dataclass(frozen=True)
class Bounds:
    """Between which differences the whole row lies, whatever the runs without a score had done.

    `low` and `high` are a − b over all assigned tasks, proportions; `lost_a` and `lost_b` are the
    numbers of runs without a score.
    """

    low: float
    high: float
    lost_a: int
    lost_b: int


def bounds(a: Outcomes, b: Outcomes) -> Bounds | None:
    """Return the worst and best case of a − b where runs were lost; None without tasks.

    Worst: every lost run of a fails and every lost run of b succeeds; best: the reverse. Without
    losses both are the difference itself.
    """
    _check_tasks(a, b)
    if not a:
        return None
    lost_a = sum(outcome is None for outcome in a.values())
    lost_b = sum(outcome is None for outcome in b.values())
    solved = sum(map(bool, a.values())) - sum(map(bool, b.values()))
    return Bounds((solved - lost_b) / len(a), (solved + lost_a) / len(a), lost_a, lost_b)


@dataclass(frozen=True)
class Floor:
    """How far repeated draws of one condition, which differ by chance alone, lie apart.

    `spread` is the root mean square of the differences between two draws and `largest` the greatest
    absolute one, both proportions; `pairs` is how many pairs of draws were compared, `unstable` how
    many of `n` tasks were not scored alike in all draws.
    """

    draws: int
    pairs: int
    spread: float
    largest: float
    unstable: int
    n: int

    def exceeded_by(self, difference: float) -> bool:
        """Say whether an effect is greater than every difference between draws; no test."""
        return abs(difference) > self.largest


def noise_floor(draws: Sequence[Outcomes]) -> Floor | None:
    """Return the noise floor of repeated draws of Keep; None where no two can be compared.

    Each pair of draws is compared over the tasks that both have scored.
    """
    compared = [paired(first, second).difference for first, second in combinations(draws, 2)]
    differences = [difference for difference in compared if difference is not None]
    if not differences:
        return None
    scores = [{draw[task] for draw in draws} - {None} for task in sorted(draws[0])]
    return Floor(
        draws=len(draws),
        pairs=len(differences),
        spread=math.sqrt(math.fsum(value**2 for value in differences) / len(differences)),
        largest=max(map(abs, differences)),
        unstable=sum(len(seen) > 1 for seen in scores),
        n=len(draws[0]),
    )
