"""Operations on an unfinished program, and the nested scopes that permit them.

Equations (1) to (3) of the paper: A_keep = {keep}, A_arg = A_keep + P, A_full = A_arg + R (set
unions), where P are valid edits of the pending call's data arguments and R valid replacements of
the rest. Under AppWorld's V2 contract A_params = A_arg + C stands between them, where C are
coordinated edits of data arguments in the rest of the block, and Full holds it too (appendix A.2).
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from controlscope.boundaries import Boundary, PendingCall
from controlscope.budgets import Contract
from controlscope.canonical import JsonObject, encode, problem_of
from controlscope.continuations import (
    CallSite,
    literal_arguments,
    parse_block,
    proxy_calls,
    rest_of_block,
    sites_ahead,
)
from controlscope.errors import InvalidReviewError, RejectedError
from controlscope.parameters import Overrides, merged, overrides_json, parse_overrides
from controlscope.tools import Tool

__all__ = [
    "EFFECTIVE",
    "PERMITTED",
    "REPLACE_BOUNDARIES",
    "SCOPES",
    "EditParameters",
    "Keep",
    "Operation",
    "PatchArguments",
    "Realized",
    "Replace",
    "ReplaceBoundary",
    "Scope",
    "as_json",
    "edit",
    "parse_operation",
    "patch",
    "permitted",
    "realize",
]

Scope: TypeAlias = Literal["keep", "arg", "params", "full"]
ReplaceBoundary: TypeAlias = Literal["reply", "block"]
Realized: TypeAlias = Literal["keep", "patch", "parameters", "replace", "no_op"]


@dataclass(frozen=True)
class Keep:
    """Let the program go on unchanged."""


@dataclass(frozen=True)
class PatchArguments:
    """Merge `arguments` into the pending call's keyword arguments; its tool and program stay."""

    arguments: JsonObject


@dataclass(frozen=True)
class EditParameters:
    """Set arguments at call sites for the rest of the current block, the pending call among them.

    No tool and no control flow changes. Later edits of the same block add to these; a replacement
    and the block's end clear them.
    """

    overrides: Overrides


@dataclass(frozen=True)
class Replace:
    """Cancel the pending call and the unfinished rest, and run `code` in its place."""

    code: str


Operation: TypeAlias = Keep | PatchArguments | EditParameters | Replace

PERMITTED: Mapping[Scope, frozenset[type]] = {
    "keep": frozenset({Keep}),
    "arg": frozenset({Keep, PatchArguments}),
    "params": frozenset({Keep, PatchArguments, EditParameters}),
    "full": frozenset({Keep, PatchArguments, EditParameters, Replace}),
}
"""What each scope permits under the V2 contract; elsewhere `permitted` leaves the edit out."""

EFFECTIVE: frozenset[Realized] = frozenset({"patch", "parameters", "replace"})
"""What really changes a program."""

SCOPES: tuple[Scope, ...] = tuple(PERMITTED)
REPLACE_BOUNDARIES: tuple[ReplaceBoundary, ...] = ("reply", "block")

_FORMS = (
    '{"operation": "keep"}',
    '{"operation": "patch", "arguments": {…}}',
    '{"operation": "parameters", "overrides": [{"tool", "line", "column", "arguments"}, …]}',
    '{"operation": "replace", "code": "…"}',
)


def permitted(scope: Scope, contract: Contract | None) -> frozenset[type]:
    """Return the kinds of operations that a scope permits in a task of a contract."""
    return PERMITTED[scope] if contract == "v2" else PERMITTED[scope] - {EditParameters}


def parse_operation(document: Any) -> Operation:
    """Read one of the forms that `as_json` gives; InvalidReviewError if it is none."""
    problem = problem_of(document)
    if problem is not None:
        raise InvalidReviewError(f"no operation: {problem}")
    match document:
        case {"operation": "keep", **rest} if not rest:
            return Keep()
        case {"operation": "patch", "arguments": dict(arguments), **rest} if not rest:
            return PatchArguments(arguments)
        case {"operation": "parameters", "overrides": list(entries), **rest} if not rest:
            try:
                return EditParameters(parse_overrides(entries))
            except ValueError as error:
                raise InvalidReviewError(f"no operation: {error}") from None
        case {"operation": "replace", "code": str(code), **rest} if not rest:
            return Replace(code)
    raise InvalidReviewError(f"an operation is one of {', '.join(_FORMS)}")


def as_json(operation: Operation) -> JsonObject:
    """Return the form that `parse_operation` reads."""
    match operation:
        case Keep():
            return {"operation": "keep"}
        case PatchArguments(arguments):
            return {"operation": "patch", "arguments": arguments}
        case EditParameters(overrides):
            return {"operation": "parameters", "overrides": overrides_json(overrides)}
        case Replace(code):
            return {"operation": "replace", "code": code}


def realize(
    operation: Operation, boundary: Boundary, scope: Scope, replace: ReplaceBoundary
) -> Realized:
    """Check an operation against the granted scope and say which one it really is.

    RejectedError where the scope does not permit it or it is not valid at this boundary; `no_op`
    where it would change nothing.
    """
    if type(operation) not in permitted(scope, boundary.contract):
        raise RejectedError(f"{as_json(operation)['operation']} is outside the scope {scope}")
    match operation:
        case Keep():
            return "keep"
        case PatchArguments():
            changed = patch(boundary, operation).arguments
            return "no_op" if encode(changed) == encode(boundary.pending.arguments) else "patch"
        case EditParameters():
            edit(boundary, operation)
            return "parameters" if _changes(boundary, operation.overrides) else "no_op"
        case Replace(code):
            _check_replacement(code)
            return "no_op" if _repeats_the_rest(code, boundary, replace) else "replace"


def patch(boundary: Boundary, operation: PatchArguments) -> PendingCall:
    """Return the pending call with the edit merged in: the one patch of every scope.

    RejectedError where a parameter encodes a program or the result is not valid for the tool.
    """
    pending = boundary.pending
    tool = _data_tool(boundary, pending.tool, operation.arguments)
    arguments = {**pending.arguments, **operation.arguments}
    problem = tool.problem(arguments)
    if problem is not None:
        raise RejectedError(problem)
    return PendingCall(pending.tool, arguments, pending.position)


def edit(boundary: Boundary, operation: EditParameters) -> dict[CallSite, JsonObject]:
    """Return the overrides in force after the edit: those before it, with its own merged in.

    RejectedError where a site is none of the rest of the block, where a parameter encodes a
    program, or where a value is not valid for its tool: the pending call is checked whole, of a
    later one each argument by itself, as its others are not known.
    """
    ahead = sites_ahead(boundary.block.code, boundary.pending.position, boundary.proxy)
    for site, arguments in operation.overrides.items():
        if site == boundary.pending.site:
            patch(boundary, PatchArguments(arguments))
            continue
        if site not in ahead:
            where = f"line {site.line}, column {site.column}"
            raise RejectedError(f"{where} is no call of {site.tool} in the rest of the block")
        problem = _data_tool(boundary, site.tool, arguments).problem(arguments, whole=False)
        if problem is not None:
            raise RejectedError(f"line {site.line}, column {site.column}: {problem}")
    return merged(boundary.overrides, operation.overrides)


def _data_tool(boundary: Boundary, name: str, arguments: JsonObject) -> Tool:
    """Return a tool; RejectedError where there is none, or an argument is no data."""
    tool = boundary.tools.get(name)
    if tool is None:
        raise RejectedError(f"{name} is not a tool of this environment")
    programs = sorted(tool.program_parameters & set(arguments))
    if programs:
        raise RejectedError(f"{programs[0]} encodes a program and is no data argument")
    return tool


def _changes(boundary: Boundary, overrides: Overrides) -> bool:
    """Tell whether overrides can change a call, as far as the block's text tells its arguments."""
    pending = boundary.pending
    ahead = sites_ahead(boundary.block.code, pending.position, boundary.proxy)
    for site, arguments in overrides.items():
        if site == pending.site:
            if _differ(arguments, pending.arguments):
                return True
            if boundary.site.straight:
                continue  # Outside loops and functions its site makes this one call.
        known = {**literal_arguments(ahead.get(site)), **boundary.overrides.get(site, {})}
        if _differ(arguments, known):
            return True
    return False


def _differ(arguments: JsonObject, known: JsonObject) -> bool:
    return any(
        name not in known or encode(value) != encode(known[name])
        for name, value in arguments.items()
    )


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
