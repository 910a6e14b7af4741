"""What a replacement stands in for, as text."""

from controlscope.boundaries import Boundary
from controlscope.continuations import rest_of_block
from controlscope.operations import ReplaceBoundary

__all__ = ["rest_of_program"]


def rest_of_program(boundary: Boundary, replace: ReplaceBoundary) -> str:
    """Return the rest of the block, with the queued blocks where replacing would cancel them."""
    queued = [block.code for block in boundary.queued] if replace == "reply" else []
    rest = rest_of_block(boundary.block.code, boundary.pending.position)
    return "\n".join([rest, *queued])
