"""When a review is offered (protocol: a review needs a completed call since the last one)."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from controlscope.errors import InputError

__all__ = [
    "Continuous",
    "From",
    "Moment",
    "Never",
    "Once",
    "PerBlock",
    "Protected",
    "Schedule",
    "parse_schedule",
]


@dataclass(frozen=True)
class Moment:
    """What a schedule may look at: the boundary's index, and how many reviews and completed calls
    the run had before it. `replaced_at` is the number of calls at the last accepted replacement.
    `begins_block`: no boundary came before it in its natural block.
    """

    boundary: int
    reviews: int
    calls: int
    replaced_at: int | None
    begins_block: bool


class Schedule(Protocol):
    """A pure rule: is a review offered at this moment, with progress given?"""

    def offers(self, moment: Moment) -> bool:
        """Answer for one boundary."""
        ...

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Never:
    """No reviews: the condition Keep."""

    def offers(self, moment: Moment) -> bool:
        """Never offer."""
        return False

    def __str__(self) -> str:
        return "never"


@dataclass(frozen=True)
class Continuous:
    """A review at every boundary with progress, calls inside functions included."""

    def offers(self, moment: Moment) -> bool:
        """Always offer."""
        return True

    def __str__(self) -> str:
        return "continuous"


@dataclass(frozen=True)
class Once:
    """One opportunity, at one boundary; a fallback consumes it."""

    boundary: int

    def offers(self, moment: Moment) -> bool:
        """Offer at the one boundary, once."""
        return moment.boundary == self.boundary and moment.reviews == 0

    def __str__(self) -> str:
        return f"once:{self.boundary}"


@dataclass(frozen=True)
class From:
    """Continuous from one boundary on."""

    boundary: int

    def offers(self, moment: Moment) -> bool:
        """Offer at this boundary and at each after it."""
        return moment.boundary >= self.boundary

    def __str__(self) -> str:
        return f"from:{self.boundary}"


@dataclass(frozen=True)
class PerBlock:
    """One review a natural block, before its first call; a replacement is no new natural block.

    Paper, appendix A.2.
    """

    def offers(self, moment: Moment) -> bool:
        """Offer at the first boundary of a natural block."""
        return moment.begins_block

    def __str__(self) -> str:
        return "per_block"


@dataclass(frozen=True)
class Protected:
    """Continuous, but the next `calls` completed calls after an accepted replacement get no review.

    Tool errors count, across blocks and planner turns; a patch does not arm it, a new replacement
    restarts it (paper, appendix B.2).
    """

    calls: int

    def offers(self, moment: Moment) -> bool:
        """Offer unless a replacement is still protected."""
        replaced_at = moment.replaced_at
        return replaced_at is None or moment.calls - replaced_at >= self.calls

    def __str__(self) -> str:
        return f"protected:{self.calls}"


def parse_schedule(text: str) -> Schedule:
    """Read a schedule's name: K is a boundary's index, from 0, and N a number of calls."""
    plain: dict[str, Schedule] = {
        "never": Never(),
        "continuous": Continuous(),
        "per_block": PerBlock(),
    }
    if text in plain:
        return plain[text]
    counted = re.fullmatch(r"(once|from|protected):(\d{1,9})", text, re.ASCII)
    if counted:
        kinds: dict[str, Callable[[int], Schedule]] = {
            "once": Once,
            "from": From,
            "protected": Protected,
        }
        return kinds[counted[1]](int(counted[2]))
    raise InputError(
        f"unknown schedule {text!r}: use never, continuous, per_block, once:K, from:K or"
        " protected:N"
    )
