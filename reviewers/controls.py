"""A reviewer that is offered other operations than are granted: the control of its own request."""

from controlscope.boundaries import Boundary
from controlscope.operations import Scope
from controlscope.roles import Review, Reviewer

__all__ = ["Offered"]


class Offered:
    """Asks a reviewer as if under the scope `offered`; what goes beyond the granted is rejected.

    With `full` offered, a granted `keep` is a sham review, and a granted `arg` shows what Full's
    request alone changes.
    """

    def __init__(self, reviewer: Reviewer, offered: Scope) -> None:
        self._reviewer = reviewer
        self._offered: Scope = offered

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        """Ask under the offered scope, whatever is granted."""
        return await self._reviewer.review(boundary, self._offered)
