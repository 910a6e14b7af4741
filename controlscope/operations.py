"""Operations on an unfinished program, and the nested scopes that permit them.

Equations (1) to (3) of the paper: A_keep = {keep}, A_arg = A_keep + P, A_full = A_arg + R (set
unions), where P are valid edits of the pending call's data arguments and R valid replacements of
the rest.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from controlscope.boundaries import Boundary, PendingCall
from controlscope.canonical import JsonObject, encode, problem_of
from controlscope.continuations import parse_block, proxy_calls, rest_of_block
from controlscope.errors import InvalidReviewError, RejectedError

__all__ = [
    "PERMITTED",
    "REPLACE_BOUNDARIES",
    "SCOPES",
    "Keep",
    "Operation",
    "PatchArguments",
    "Realized",
    "Replace",
    "ReplaceBoundary",
    "Scope",
    "as_json",
    "parse_operation",
    "patch",
    "realize",
]

Scope: TypeAlias = Literal["keep", "arg", "full"]
ReplaceBoundary: TypeAlias = Literal["reply", "block"]
Realized: TypeAlias = Literal["keep", "patch", "replace", "no_op"]


@dataclass(frozen=True)
class Keep:
    """Let the program go on unchanged."""


@dataclass(frozen=True)
class PatchArguments:
    """Merge `arguments` into the pending call's keyword arguments; its tool and program stay."""

    arguments: JsonObject


@dataclass(frozen=True)
class Replace:
    """Cancel the pending call and the unfinished rest, and run `code` in its place."""

    code: str


Operation: TypeAlias = Keep | PatchArguments | Replace

PERMITTED: Mapping[Scope, frozenset[type]] = {
    "keep": frozenset({Keep}),
    "arg": frozenset({Keep, PatchArguments}),
    "full": frozenset({Keep, PatchArguments, Replace}),
}
SCOPES: tuple[Scope, ...] = tuple(PERMITTED)
REPLACE_BOUNDARIES: tuple[ReplaceBoundary, ...] = ("reply", "block")


def parse_operation(document: Any) -> Operation:
    """Read `{"operation": "keep" | "patch" | "replace", …}`; InvalidReviewError if it is none."""
    problem = problem_of(document)
    if problem is not None:
        raise InvalidReviewError(f"no operation: {problem}")
    match document:
        case {"operation": "keep", **rest} if not rest:
            return Keep()
        case {"operation": "patch", "arguments": dict(arguments), **rest} if not rest:
            return PatchArguments(arguments)
        case {"operation": "replace", "code": str(code), **rest} if not rest:
            return Replace(code)
    raise InvalidReviewError(
        'an operation is {"operation": "keep"}, {"operation": "patch", "arguments": {…}} '
        'or {"operation": "replace", "code": "…"}'
    )


def as_json(operation: Operation) -> JsonObject:
    """Return the form that `parse_operation` reads."""
    match operation:
        case Keep():
            return {"operation": "keep"}
        case PatchArguments(arguments):
            return {"operation": "patch", "arguments": arguments}
        case Replace(code):
            return {"operation": "replace", "code": code}


def realize(
    operation: Operation, boundary: Boundary, scope: Scope, replace: ReplaceBoundary
) -> Realized:
    """Check an operation against the granted scope and say which one it really is.

    RejectedError where the scope does not permit it or it is not valid at this boundary; `no_op`
    where it would change nothing.
    """
    if type(operation) not in PERMITTED[scope]:
        raise RejectedError(f"{as_json(operation)['operation']} is outside the scope {scope}")
    match operation:
        case Keep():
            return "keep"
        case PatchArguments():
            changed = patch(boundary, operation).arguments
            return "no_op" if encode(changed) == encode(boundary.pending.arguments) else "patch"
        case Replace(code):
            _check_replacement(code)
            return "no_op" if _repeats_the_rest(code, boundary, replace) else "replace"


def patch(boundary: Boundary, operation: PatchArguments) -> PendingCall:
    """Return the pending call with the edit merged in: the one patch of every scope.

    RejectedError where a parameter encodes a program or the result is not valid for the tool.
    """
    pending = boundary.pending
    tool = boundary.tools.get(pending.tool)
    if tool is None:
        raise RejectedError(f"{pending.tool} is not a tool of this environment")
    programs = sorted(tool.program_parameters & set(operation.arguments))
    if programs:
        raise RejectedError(f"{programs[0]} encodes a program and is no data argument")
    merged = {**pending.arguments, **operation.arguments}
    problem = tool.problem(merged)
    if problem is not None:
        raise RejectedError(problem)
    return PendingCall(pending.tool, merged, pending.position)


def _check_replacement(code: str) -> None:
    try:
        tree = parse_block(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise RejectedError(f"the replacement is not Python that parses: {error}") from None
    if not tree.body:
        raise RejectedError("the replacement is empty")


def _repeats_the_rest(code: str, boundary: Boundary, replace: ReplaceBoundary) -> bool:
    """Tell whether a replacement is just what would have run anyway.

    Only where the pending call is the first call of a straight statement can the rest be told from
    the text alone; and cancelling queued blocks is always a change.
    """
    if not boundary.site.straight or (replace == "reply" and boundary.queued):
        return False
    rest = parse_block(rest_of_block(boundary.block.code, boundary.pending.position))
    if len(proxy_calls(rest.body[0], boundary.proxy)) != 1:
        return False
    return _same(parse_block(code), rest)


def _same(one: ast.AST, other: ast.AST) -> bool:
    """Compare two trees without their positions; without recursion, however deep they are."""
    pairs: list[tuple[Any, Any]] = [(one, other)]
    while pairs:
        a, b = pairs.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, ast.AST):
            pairs += [(getattr(a, name), getattr(b, name)) for name in a._fields]
        elif isinstance(a, list):
            if len(a) != len(b):
                return False
            pairs += zip(a, b, strict=True)
        elif repr(a) != repr(b):
            return False
    return True
