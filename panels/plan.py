"""How many tasks a panel needs: power of the paired comparison, computed exactly.

Each of n tasks is won by a with probability p10, lost with p01, and tied otherwise, independently;
the comparison is the exact McNemar test of one row. Tasks of one category resemble each other, so
that fewer clusters than tasks carry the information: what is given here is then the best case.
"""

import math
from bisect import bisect_left
from dataclasses import asdict, dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from controlscope.canonical import JsonObject
from controlscope.errors import InputError
from panels.statistics import Outcomes, paired

__all__ = ["MAX_TASKS", "Plan", "plan_from_pilot", "plan_from_rates", "power_of"]

MAX_TASKS = 5000
"""The largest number of tasks that is looked at."""

_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]

_GRID = 10_000
"""Minimum detectable effects are multiples of one part in so many."""


@dataclass(frozen=True)
class Plan:
    """What a row of `tasks` pairs can show, and how many pairs a stated effect needs.

    `p10` and `p01` are the rates of wins and losses of a against b, proportions of tasks. Draws are
    rows of their own and never add to n: `alpha_row` is `alpha / draws`, Holm's strictest step over
    the draws. So `power`, to six decimals, is the least that any row has: the chance that it
    rejects in the direction of p10 − p01 (with equal rates, falsely in favour of a).

    `tasks_needed` is the smallest n whose power reaches `power_goal`; None above `MAX_TASKS` or
    without an effect. `minimum_detectable` is the smallest difference whose power reaches it at
    `tasks`, with the smaller of the two rates held and the larger one raised; None where no
    difference does.
    """

    tasks: int
    draws: int
    alpha: float
    alpha_row: float
    power_goal: float
    p10: float
    p01: float
    power: float
    tasks_needed: int | None
    minimum_detectable: float | None

    def as_json(self) -> JsonObject:
        """Return the plan as printed with `--json`."""
        return asdict(self)


def plan_from_rates(
    p10: float, p01: float, *, tasks: int, draws: int = 1, alpha: float = 0.05, power: float = 0.8
) -> Plan:
    """Plan from stated rates of wins and losses; InputError names the value that cannot be."""
    _check(p10, p01, tasks, draws, alpha, power)
    alpha_row = alpha / draws
    return Plan(
        tasks=tasks,
        draws=draws,
        alpha=alpha,
        alpha_row=alpha_row,
        power_goal=power,
        p10=p10,
        p01=p01,
        power=round(power_of(tasks, p10, p01, alpha_row), 6),
        tasks_needed=_tasks_needed(p10, p01, alpha_row, power),
        minimum_detectable=_minimum_detectable(tasks, min(p10, p01), alpha_row, power),
    )


def plan_from_pilot(
    a: Outcomes,
    b: Outcomes,
    *,
    tasks: int,
    draws: int = 1,
    alpha: float = 0.05,
    power: float = 0.8,
) -> Plan:
    """Plan from a pilot's outcomes of two conditions, one row; InputError where no pair is scored.

    The rates are (count + 1/2) / (pairs + 3/2), Jeffreys' estimate: a small pilot without a loss
    does not promise that there is none.
    """
    counts = paired(a, b)
    if not counts.n:
        raise InputError("pilot: no task has a score under both conditions")
    p10, p01 = ((count + 0.5) / (counts.n + 1.5) for count in (counts.wins, counts.losses))
    return plan_from_rates(p10, p01, tasks=tasks, draws=draws, alpha=alpha, power=power)


def power_of(tasks: int, p10: float, p01: float, alpha: float) -> float:
    """Return the chance that exact McNemar, two-sided at alpha, rejects for the better condition.

    The better condition is a where p10 >= p01, else b. A rejection in favour of the other one is an
    error and does not count. `tasks` is at most `MAX_TASKS`.
    """
    return _power(tasks, p10 + p01, _rejections(tasks, p10, p01, alpha))


def _tasks_needed(p10: float, p01: float, alpha: float, goal: float) -> int | None:
    # Power is not monotone in n (the test is discrete), so that every n is looked at.
    if p10 == p01:
        return None
    rejections = _rejections(MAX_TASKS, p10, p01, alpha)
    sizes = range(1, MAX_TASKS + 1)
    return next((n for n in sizes if _power(n, p10 + p01, rejections) >= goal), None)


def _minimum_detectable(tasks: int, held: float, alpha: float, goal: float) -> float | None:
    # Power is monotone here: a tie that becomes a win only ever helps a rejection for the winner.
    steps = range(1, int((1 - 2 * held) * _GRID) + 1)
    found = bisect_left(
        steps, goal, key=lambda step: power_of(tasks, held + step / _GRID, held, alpha)
    )
    return steps[found] / _GRID if found < len(steps) else None


def _power(tasks: int, discordant: float, rejections: _Floats) -> float:
    """Average the chance of a rejection over the number of discordant pairs."""
    weights = _binomial(np.array(tasks), np.arange(tasks + 1), min(discordant, 1.0))
    return float(weights @ rejections[: tasks + 1])


def _rejections(most: int, p10: float, p01: float, alpha: float) -> _Floats:
    """Return, for 0 to `most` discordant pairs, the chance of a rejection for the better one."""
    if p10 == p01 == 0:
        return np.zeros(most + 1)
    share = max(p10, p01) / (p10 + p01)
    wins = np.array(_least_wins(alpha)[: most + 1])
    pairs, before, risen = np.arange(1, most + 1), wins[:-1], wins[1:] > wins[:-1]
    # One pair more: P(W >= w) grows by share * P(W = w - 1), and falls by P(W = w) as w rises.
    growth = share * _binomial(pairs - 1, before - 1, share)
    fall = np.where(risen, _binomial(pairs, before, share), 0.0)
    return np.concatenate([[0.0], np.cumsum(growth - fall)])


@cache
def _least_wins(alpha: float) -> tuple[int, ...]:
    """Return how many wins among 0 to `MAX_TASKS` discordant pairs the test needs to reject.

    One more than there are pairs means never. Whole numbers throughout, so that no rounding moves a
    critical value: `tail` is the number of outcomes, of 2 ** pairs, with at least `wins` wins.
    """
    numerator, denominator = alpha.as_integer_ratio()
    wins, tail, last = 1, 0, 1  # last: the outcomes with exactly wins - 1 wins
    needed = [wins]
    for pairs in range(1, MAX_TASKS + 1):
        tail = 2 * tail + last
        last = last * pairs // (pairs - wins + 1)
        if 2 * tail * denominator > numerator << pairs:
            last = last * (pairs - wins + 1) // wins
            tail -= last
            wins += 1
        needed.append(wins)
    return tuple(needed)


def _binomial(n: _Integers, successes: _Integers, rate: float) -> _Floats:
    """Return binomial probabilities, element by element; `successes` lies in 0 to n."""
    if rate in {0.0, 1.0}:
        return np.where(successes == n * int(rate), 1.0, 0.0)
    logs = _log_factorials()
    ways = logs[n] - logs[successes] - logs[n - successes]
    chance: _Floats = np.exp(
        ways + successes * math.log(rate) + (n - successes) * math.log1p(-rate)
    )
    return chance


@cache
def _log_factorials() -> _Floats:
    return np.array([math.lgamma(count + 1) for count in range(MAX_TASKS + 1)])


def _check(p10: float, p01: float, tasks: int, draws: int, alpha: float, power: float) -> None:
    if not (p10 >= 0 and p01 >= 0 and p10 + p01 <= 1):
        raise InputError(f"p10 = {p10}, p01 = {p01}: rates are at least 0, and together at most 1")
    if not 1 <= tasks <= MAX_TASKS:
        raise InputError(f"tasks = {tasks}: at least 1, at most {MAX_TASKS}")
    if draws < 1:
        raise InputError(f"draws = {draws}: at least 1")
    for name, value in (("alpha", alpha), ("power", power)):
        if not 0 < value < 1:
            raise InputError(f"{name} = {value}: between 0 and 1, both left out")
