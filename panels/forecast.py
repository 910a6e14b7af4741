"""What a panel's models can cost at most, and what they will cost by what a pilot spent."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import stdev

from controlscope.budgets import Tokens
from controlscope.canonical import JsonObject
from controlscope.schedules import Once, PerBlock
from panels.plans import RunPlan
from panels.siting import Sited
from reviewers.settings import ModelSettings

__all__ = [
    "Bound",
    "Extrapolated",
    "bound_of",
    "extrapolate",
    "fresh_by_model",
    "fresh_tokens",
    "pilot_lines",
]


@dataclass(frozen=True)
class Bound:
    """What runs can ask of models at most: nothing shared, every budget spent, no retry paid.

    `output` counts tokens, each reply at its cap. `input` counts tokens, each request as long as
    its model's `context`; None where a model names none: nothing of ours bounds it then. `cost` is
    None where `input` is, or where a model has no prices.
    """

    requests: int
    input: int | None
    output: int
    cost: float | None

    def line(self) -> str:
        """Say it in one line."""
        said = f"at most {self.requests:,} requests with {self.output:,} output tokens"
        if self.input is None:
            return f"{said}; their input has no bound where a model names no `context`: use --pilot"
        return f"{said} and {self.input:,} input tokens; cost at most {_money(self.cost)}"


def bound_of(plans: Iterable[RunPlan]) -> Bound:
    """Bound runs: a review for each call of the budget, a planner reply for each planning turn.

    Each such reply runs a block, and a block makes its allowance of requests at most.
    """
    asked: list[tuple[ModelSettings, int]] = []
    for plan in plans:
        if plan.models.planner is not None:
            first = 0 if plan.program.replies else 1
            asked.append((plan.models.planner, plan.task.budget.most_turns + first))
        if plan.models.reviewer is not None:
            asked.append((plan.models.reviewer, _most_reviews(plan)))
    bounded = all(settings.context is not None for settings, _ in asked)
    priced = bounded and all(settings.prices is not None for settings, _ in asked)
    longest = sum(count * (settings.context or 0) for settings, count in asked)
    return Bound(
        requests=sum(count for _, count in asked),
        input=longest if bounded else None,
        output=sum(count * settings.max_tokens for settings, count in asked),
        cost=math.fsum(_largest_cost(*each) for each in asked) if priced else None,
    )


def _most_reviews(plan: RunPlan) -> int:
    schedule, budget = plan.schedule, plan.task.budget
    if schedule.once if isinstance(schedule, Sited) else isinstance(schedule, Once):
        return 1
    if isinstance(schedule, PerBlock) and budget.blocks is not None:
        return budget.blocks
    return budget.most_calls


def _largest_cost(settings: ModelSettings, count: int) -> float:
    prices, context = settings.prices, settings.context
    assert prices is not None
    assert context is not None
    dearest_input = max(prices.input, prices.cached_input)
    dearest_output = max(prices.output, prices.reasoning)
    return count * (dearest_input * context + dearest_output * settings.max_tokens) / 1_000_000


@dataclass(frozen=True)
class Extrapolated:
    """A pilot's spending carried over to all tasks.

    `expected` is the pilot's mean of a task times `tasks`; `deviation` the standard deviation of
    that total if tasks are drawn like the pilot's (None from one task); `low` and `high` are every
    task at the pilot's cheapest and at its dearest.
    """

    expected: float
    deviation: float | None
    low: float
    high: float
    pilot: int
    tasks: int

    def as_json(self) -> JsonObject:
        """Return it as printed with `--json`."""
        return asdict(self)


def extrapolate(spent: Sequence[float], tasks: int) -> Extrapolated:
    """Carry what each task of a pilot spent over to `tasks` tasks."""
    pilot = len(spent)
    # The pilot's own tasks are known; the mean that the others are given is itself uncertain.
    others = max(tasks - pilot, 0)
    deviation = None
    if pilot > 1:
        deviation = stdev(spent) * math.sqrt(others + others**2 / pilot)
    known = math.fsum(spent)
    return Extrapolated(
        expected=known + others * known / pilot,
        deviation=deviation,
        low=known + others * min(spent),
        high=known + others * max(spent),
        pilot=pilot,
        tasks=tasks,
    )


def pilot_lines(tokens: Extrapolated, cost: Extrapolated | None) -> list[str]:
    """Say what a pilot foretells."""
    from_what = f"pilot of {tokens.pilot} of {tokens.tasks} tasks"
    return [
        f"{from_what}: the whole panel uses about {_spread(tokens, '{:,.0f}')} tokens",
        "cost: unpriced" if cost is None else f"cost: about {_spread(cost, '{:,.4f}')}",
    ]


def _spread(found: Extrapolated, form: str) -> str:
    number = form.format
    deviation = "—" if found.deviation is None else number(found.deviation)
    low, high = number(found.low), number(found.high)
    return f"{number(found.expected)} (standard deviation {deviation}; {low} to {high})"


def fresh_by_model(
    plans: Iterable[RunPlan], rows: Mapping[str, JsonObject]
) -> dict[str, dict[str, Tokens]]:
    """Return, by task and by model asked for, the tokens that finished runs paid for."""
    by_task: dict[str, dict[str, Tokens]] = defaultdict(dict)
    for plan in plans:
        row = rows.get(plan.id)
        asked = {"agent": plan.models.planner, "reviewer": plan.models.reviewer}
        for ledger, settings in asked.items():
            if row is not None and settings is not None:
                spent = by_task[plan.task.id]
                model = settings.model
                spent[model] = spent.get(model, Tokens()) + fresh_tokens(row["tokens"][ledger])
    return dict(by_task)


def fresh_tokens(ledger: Mapping[str, int]) -> Tokens:
    """Return the paid part of a row's ledger."""
    parts = ("input", "cached_input", "output", "reasoning")
    return Tokens(*(ledger[f"fresh_{part}"] for part in parts))


def _money(cost: float | None) -> str:
    return "unpriced" if cost is None else f"{cost:,.4f}"
