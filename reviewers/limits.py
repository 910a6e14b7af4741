"""What a panel may spend on models, checked before each request is sent."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, Field

from controlscope.budgets import Tokens
from controlscope.errors import InfrastructureError
from reviewers.settings import ModelSettings, Prices

__all__ = ["NO_LIMITS", "Limits", "Purse", "purse_of"]


class Limits(BaseModel):
    """Where a panel stops: input and output tokens together, and cost in the prices' currency.

    Only what is sent counts, not what the request cache gives again.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    tokens: int | None = Field(default=None, ge=1)
    cost: float | None = Field(default=None, gt=0, allow_inf_nan=False)


@dataclass(frozen=True)
class Purse:
    """Limits, and the prices of each model by the name that is asked for."""

    limits: Limits = field(default_factory=Limits)
    prices: Mapping[str, Prices | None] = field(default_factory=dict)

    def cost(self, spent: Mapping[str, Tokens]) -> float | None:
        """Return what tokens by model cost; None where one of the models has no prices."""
        total = 0.0
        for model, tokens in sorted(spent.items()):
            prices = self.prices.get(model)
            if prices is None:
                return None
            total += prices.cost(tokens)
        return total

    def check(self, spent: Mapping[str, Tokens]) -> None:
        """Refuse a further request where a limit is reached: InfrastructureError.

        Requests under way are not known yet, so that what is spent may pass a limit by one reply
        for each run at a time.
        """
        tokens = sum(each.input + each.output for each in spent.values())
        cost = self.cost(spent)
        limits = self.limits
        if limits.tokens is not None and tokens >= limits.tokens:
            detail = f"{tokens:,} tokens are spent, of limits.tokens = {limits.tokens:,}"
            raise InfrastructureError("limit_reached", detail)
        if limits.cost is not None and cost is not None and cost >= limits.cost:
            detail = f"{cost:.4f} is spent, of limits.cost = {limits.cost:g}"
            raise InfrastructureError("limit_reached", detail)


NO_LIMITS = Purse()
"""The purse of a run outside any panel."""


def purse_of(limits: Limits, models: Iterable[ModelSettings]) -> Purse:
    """Return the purse of a panel's models; ValueError where a limit of cost could not hold."""
    prices: dict[str, Prices | None] = {}
    for settings in models:
        if prices.setdefault(settings.model, settings.prices) != settings.prices:
            raise ValueError(f"{settings.model} has two prices: one model has one")
    if limits.cost is not None and None in prices.values():
        unpriced = sorted(model for model, known in prices.items() if known is None)
        raise ValueError(f"limits.cost needs the prices of every model; {unpriced[0]} has none")
    return Purse(limits, prices)
