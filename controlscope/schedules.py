"""When a review is offered (protocol: a review needs a completed call since the last one)."""

import re
from dataclasses import dataclass
from typing import Protocol

from controlscope.errors import InputError

__all__ = ["Continuous", "Never", "Once", "Schedule", "parse_schedule"]


class Schedule(Protocol):
    """A pure rule: is a review offered at this boundary, with progress given?"""

    def offers(self, boundary: int, reviews: int) -> bool:
        """Answer for a boundary index, after `reviews` earlier reviews of the run."""
        ...

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Never:
    """No reviews: the condition Keep."""

    def offers(self, boundary: int, reviews: int) -> bool:
        """Never offer."""
        return False

    def __str__(self) -> str:
        return "never"


@dataclass(frozen=True)
class Continuous:
    """A review at every boundary with progress, calls inside functions included."""

    def offers(self, boundary: int, reviews: int) -> bool:
        """Always offer."""
        return True

    def __str__(self) -> str:
        return "continuous"


@dataclass(frozen=True)
class Once:
    """One opportunity, at one boundary; a fallback consumes it."""

    boundary: int

    def offers(self, boundary: int, reviews: int) -> bool:
        """Offer at the one boundary, once."""
        return boundary == self.boundary and reviews == 0

    def __str__(self) -> str:
        return f"once:{self.boundary}"


def parse_schedule(text: str) -> Schedule:
    """Read `never`, `continuous` or `once:K`, K a boundary index from 0."""
    if text == "never":
        return Never()
    if text == "continuous":
        return Continuous()
    once = re.fullmatch(r"once:(\d{1,9})", text, re.ASCII)
    if once:
        return Once(int(once[1]))
    raise InputError(f"unknown schedule {text!r}: use never, continuous or once:K")
