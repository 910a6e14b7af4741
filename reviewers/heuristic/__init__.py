"""A rule-based baseline. It is no stand-in for a model: it knows a few habits of programs.

It looks at the public record alone, and proposes only what the granted scope permits. Each rule
says in its own docstring what must hold; where that is in doubt, the program goes on unchanged.
"""

from controlscope.boundaries import Boundary
from controlscope.operations import Keep, PatchArguments, ReplaceBoundary, Scope
from controlscope.roles import Review
from reviewers.heuristic.apps import APIS, review_of_apps
from reviewers.heuristic.batches import read_in_batches
from reviewers.heuristic.household import ACT, nearest_command, right_appliance, wider_search
from reviewers.heuristic.known import known
from reviewers.heuristic.parents import create_parent
from reviewers.heuristic.widen import widen

__all__ = ["Heuristic"]


class Heuristic:
    """With files: widens a batched read, or creates a missing folder, or batches a loop's reads.

    In a household: corrects a command that is not admissible, goes to the right appliance, or goes
    on with a search whose list is at its end.
    With apps: gives a token that is left out, renames an argument, and reads all pages of a list.
    A patch comes first, because it changes less. `replace` is the run's replacement boundary:
    where a replacement cancels the queued blocks, it carries their code over.
    """

    def __init__(self, replace: ReplaceBoundary = "reply") -> None:
        self._replace = replace

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        """Apply the first rule that holds, or keep."""
        if scope == "keep":
            return Review(Keep())
        if boundary.proxy == APIS:
            return review_of_apps(boundary, scope, self._replace)
        if boundary.proxy == ACT:
            return self._in_household(boundary, scope)
        wider = widen(boundary)
        if wider is not None:
            (name, paths), *_ = wider.items()
            count = len(boundary.pending.arguments[name])
            return Review(PatchArguments(wider), f"{name} widened from {count} to {len(paths)}")
        if scope == "full":
            names = known(boundary)
            parent = create_parent(boundary, names, self._replace)
            if parent is not None:
                return Review(parent, "a missing folder is created first")
            batches = read_in_batches(boundary, names, self._replace)
            if batches is not None:
                return Review(batches, "the rest of the reads cannot fit the calls left")
        return Review(Keep())

    def _in_household(self, boundary: Boundary, scope: Scope) -> Review:
        nearest = nearest_command(boundary)
        if nearest is not None:
            return Review(nearest, "the command is not admissible")
        if scope == "full":
            appliance = right_appliance(boundary, self._replace)
            if appliance is not None:
                return Review(appliance, "the appliance is another one")
            search = wider_search(boundary, self._replace)
            if search is not None:
                return Review(search, "the search goes on to the places that nobody went to")
        return Review(Keep())
