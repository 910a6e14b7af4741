"""The rest of a program as statements that can start again at the pending call.

Only what can be told from the public record: a statement of the module, or an iteration of a `for`
over a named list, whose steps before the call can be taken twice without a difference.
"""

import ast
from dataclasses import dataclass

from controlscope.boundaries import Boundary
from controlscope.continuations import Position, proxy_calls
from controlscope.operations import ReplaceBoundary
from reviewers.heuristic.known import Known
from reviewers.heuristic.loops import loop_here
from reviewers.heuristic.steps import holds, leading

__all__ = ["Place", "direct_call", "place_of", "queued", "rest_from_here"]


@dataclass(frozen=True)
class Place:
    """The pending call in its block: `rest[0]` is the module-level statement that holds it."""

    call: ast.Call
    rest: list[ast.stmt]


def place_of(boundary: Boundary) -> Place | None:
    """Find the pending call, where it is literally `proxy.tool(…)` at module level."""
    if not (boundary.site.known and boundary.site.module_level):
        return None
    tree = ast.parse(boundary.block.code)
    call = direct_call(tree, boundary)
    for number, statement in enumerate(tree.body):
        if call and holds(statement, call):
            return Place(call, tree.body[number:])
    return None


def direct_call(tree: ast.Module, boundary: Boundary) -> ast.Call | None:
    """Find the pending call in its block, where it is literally `proxy.tool(…)`."""
    at = boundary.pending.position
    for call in proxy_calls(tree, boundary.proxy):
        if at == Position(
            call.lineno, call.col_offset, call.end_lineno or 0, call.end_col_offset or 0
        ):
            return call
    return None


def rest_from_here(
    boundary: Boundary, known: Known, replace: ReplaceBoundary
) -> list[ast.stmt] | None:
    """Return the rest of the program from the pending call on, or None where that is uncertain."""
    place = place_of(boundary)
    after = queued(boundary, replace)
    if place is None or after is None:
        return None
    first = place.rest[0]
    if isinstance(first, ast.For) and not holds(first.iter, place.call):
        loop = loop_here(first, place.call, boundary, known)
        if loop is None:
            return None
        resumed = ast.For(first.target, loop.resumed(), first.body, first.orelse)
        return [resumed, *place.rest[1:], *after]
    return [*place.rest, *after] if leading([first], place.call, known) is not None else None


def queued(boundary: Boundary, replace: ReplaceBoundary) -> list[ast.stmt] | None:
    """Return the statements of the queued blocks where replacing would cancel them.

    None where one does not parse: what a block before it did would stand, what it held would not.
    """
    if replace == "block":
        return []
    try:
        return [statement for block in boundary.queued for statement in ast.parse(block.code).body]
    except (SyntaxError, ValueError):
        return None
