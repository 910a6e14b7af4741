"""What a run may spend, what it has spent, and the token ledgers."""

from dataclasses import asdict, dataclass, fields
from typing import Literal, TypeAlias

from controlscope.canonical import JsonObject

__all__ = ["Budget", "Contract", "Ending", "Ledgers", "Refused", "Tokens", "Usage", "logged"]

Ending: TypeAlias = Literal[
    "finished",
    "completed",
    "calls",
    "planning_turns",
    "blocks",
    "execution_seconds",
    "planner_error",
    "context_limit",
]
"""How a scored run ended: planning stopped, the environment's episode was over, a budget ended it,
or ordinary planning failed."""

Contract: TypeAlias = Literal["v1", "v2"]
"""The execution contract of an AppWorld task (paper, appendix A.2). `v1`: a replacement of the
current block starts a new allowance of requests. `v2`: it shares what the block has left, and
argument overrides for the rest of the block are an operation of their own."""


@dataclass(frozen=True)
class Budget:
    """The counted limits of one run (paper, table 5).

    `calls` are primitive call attempts, `planning_turns` are planner replies after the source's
    first (in a household, repairs), `execution_seconds` is worker and environment time only.
    `blocks` are natural blocks, and `requests_per_block` call attempts in one of them: over that
    allowance a call is refused in the program, and the run goes on. None: there is no such limit.
    """

    calls: int | None = 100
    planning_turns: int | None = 100
    execution_seconds: float = 1800.0
    blocks: int | None = None
    requests_per_block: int | None = None

    @property
    def most_calls(self) -> int:
        """The calls that no run exceeds, where no replacement renews an allowance."""
        if self.calls is not None:
            return self.calls
        assert self.blocks is not None, "every budget limits the calls"
        assert self.requests_per_block is not None, "every budget limits the calls"
        return self.blocks * self.requests_per_block

    @property
    def most_turns(self) -> int:
        """The planning turns that no run exceeds: each runs a block."""
        limits = [limit for limit in (self.planning_turns, self.blocks) if limit is not None]
        return min(limits)


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


@dataclass(frozen=True)
class Refused:
    """Calls that were refused before they were made; they count as no calls.

    `unknown`: of a tool that there is not; `positional`: with arguments by position where a tool
    takes names alone; `quota`: over the block's allowance of requests.
    """

    unknown: int = 0
    positional: int = 0
    quota: int = 0

    def __add__(self, other: "Refused") -> "Refused":
        return Refused(
            self.unknown + other.unknown,
            self.positional + other.positional,
            self.quota + other.quota,
        )


@dataclass
class Ledgers:
    """What one run has spent so far.

    `calls` counts attempts through the proxy, whatever came back, and `requests` those of the
    running block's allowance.
    """

    calls: int = 0
    planning_turns: int = 0
    blocks: int = 0
    requests: int = 0
