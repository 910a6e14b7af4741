"""When a review is offered (protocol: a review needs a completed call since the last one)."""

import re
from dataclasses import dataclass
from typing import Protocol

from controlscope.errors import InputError

__all__ = ["Continuous", "Moment", "Never", "Once", "Protected", "Schedule", "parse_schedule"]


@dataclass(frozen=True)
class Moment:
    """What a schedule may look at: the boundary's index, and how many reviews and completed calls
    the run had before it. `replaced_at` is the number of calls at the last accepted replacement.
    """

    boundary: int
    reviews: int
    calls: int
    replaced_at: int | None


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
    """Read `never`, `continuous`, `once:K` (a boundary index from 0) or `protected:N` (calls)."""
    if text == "never":
        return Never()
    if text == "continuous":
        return Continuous()
    counted = re.fullmatch(r"(once|protected):(\d{1,9})", text, re.ASCII)
    if counted:
        number = int(counted[2])
        return Once(number) if counted[1] == "once" else Protected(number)
    raise InputError(f"unknown schedule {text!r}: use never, continuous, once:K or protected:N")
