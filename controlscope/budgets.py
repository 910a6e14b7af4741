"""What a run may spend, what it has spent, and the token ledgers."""

from dataclasses import asdict, dataclass, fields
from typing import Literal, TypeAlias

from controlscope.canonical import JsonObject

__all__ = ["Budget", "Ending", "Ledgers", "Tokens", "Usage", "logged"]

Ending: TypeAlias = Literal[
    "finished",
    "completed",
    "calls",
    "planning_turns",
    "execution_seconds",
    "planner_error",
    "context_limit",
]
"""How a scored run ended: planning stopped, the environment's episode was over, a budget ended it,
or ordinary planning failed."""


@dataclass(frozen=True)
class Budget:
    """The counted limits of one run (paper, table 5).

    `calls` are primitive call attempts, `planning_turns` are planner replies after the source's
    first (in a household, repairs), `execution_seconds` is worker and environment time only.
    """

    calls: int = 100
    planning_turns: int = 100
    execution_seconds: float = 1800.0


@dataclass(frozen=True)
class Tokens:
    """Tokens of one or more model responses, in the provider's four parts."""

    input: int = 0
    cached_input: int = 0
    output: int = 0
    reasoning: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            *(getattr(self, part.name) + getattr(other, part.name) for part in fields(self))
        )


@dataclass(frozen=True)
class Usage:
    """One model response: its tokens, who served it, and whether our own cache gave it again.

    `served` holds the model, provider and fingerprint as the response names them. A response that
    is `reused` counts in logical totals and not in fresh ones.
    """

    tokens: Tokens
    served: JsonObject
    reused: bool

    def as_json(self) -> JsonObject:
        """Return the response as logged."""
        return {"tokens": asdict(self.tokens), "served": self.served, "reused": self.reused}


def logged(usage: Usage | None) -> JsonObject:
    """Return the part of an event that tells of a model response, where there was one."""
    return {} if usage is None else {"usage": usage.as_json()}


@dataclass
class Ledgers:
    """What one run has spent so far.

    `calls` counts attempts through the proxy, whatever came back.
    """

    calls: int = 0
    planning_turns: int = 0
