"""What a replacement stands in for, as text, and what a coordinated edit starts from."""

from controlscope.boundaries import Boundary
from controlscope.canonical import JsonObject
from controlscope.continuations import CallSite, literal_arguments, rest_of_block, sites_ahead
from controlscope.operations import ReplaceBoundary

__all__ = ["rest_of_program", "site_arguments"]


def rest_of_program(boundary: Boundary, replace: ReplaceBoundary) -> str:
    """Return the rest of the block, with the queued blocks where replacing would cancel them."""
    queued = [block.code for block in boundary.queued] if replace == "reply" else []
    rest = rest_of_block(boundary.block.code, boundary.pending.position)
    return "\n".join([rest, *queued])


def site_arguments(boundary: Boundary) -> dict[CallSite, JsonObject]:
    """Return the calls that the rest of the block may make, each with the arguments that are known.

    Of the pending call, which comes first, all are; of the others those that stand in the text or
    that earlier edits have set.
    """
    pending = boundary.pending
    found = {pending.site: pending.arguments}
    ahead = sites_ahead(boundary.block.code, pending.position, boundary.proxy)
    for site, call in ahead.items():
        set_before = boundary.overrides.get(site, {})
        found.setdefault(site, {**literal_arguments(call), **set_before})
    return found
