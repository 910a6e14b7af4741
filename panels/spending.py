"""Tokens and cost of a condition, by ledger: what its runs used, and what was paid anew."""

from collections import Counter
from collections.abc import Sequence

from controlscope.budgets import Tokens
from controlscope.canonical import JsonObject
from panels.forecast import fresh_tokens
from panels.plans import Models, RunPlan
from reviewers.settings import ModelSettings, cost_of

__all__ = ["LEDGERS", "costs_of", "tokens_of"]

LEDGERS = ("agent", "reviewer")


def tokens_of(rows: Sequence[JsonObject], ledger: str) -> JsonObject:
    """Add up one ledger of rows; `fresh_` parts are what our own cache did not serve."""
    total: Counter[str] = Counter()
    for row in rows:
        total.update(row["tokens"][ledger])
    return dict(total)


def costs_of(plans: Sequence[RunPlan], tokens: JsonObject) -> JsonObject:
    """Return what each ledger's tokens cost, logical and fresh, in the currency of the prices.

    None where no model is asked, or no run is scored; `unpriced` without prices, or where a
    provider did not report tokens: an unknown is not 0.
    """
    models = plans[0].models if plans else Models()
    return {
        "agent": _cost(models.planner, tokens["agent"]),
        "reviewer": _cost(models.reviewer, tokens["reviewer"]),
    }


def _cost(settings: ModelSettings | None, tokens: JsonObject) -> JsonObject | None:
    if settings is None or not tokens:
        return None
    if tokens.get("unreported"):
        return {"logical": "unpriced", "fresh": "unpriced"}
    parts = ("input", "cached_input", "output", "reasoning")
    logical = Tokens(*(tokens[part] for part in parts))
    return {
        "logical": cost_of(logical, settings.prices),
        "fresh": cost_of(fresh_tokens(tokens), settings.prices),
    }
