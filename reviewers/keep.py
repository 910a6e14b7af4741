"""The reviewer that never intervenes."""

from controlscope import operations
from controlscope.boundaries import Boundary
from controlscope.roles import Review

__all__ = ["Keep"]


class Keep:
    """Lets every program go on unchanged, whatever the scope."""

    async def review(self, boundary: Boundary, scope: operations.Scope) -> Review:
        """Keep."""
        return Review(operations.Keep())
