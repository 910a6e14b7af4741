"""Where a pending call stands in its block, and what of the block is still to run."""

import ast
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from controlscope.canonical import JsonObject, encode

__all__ = [
    "CallSite",
    "Position",
    "Site",
    "callee_of",
    "literal_arguments",
    "parse_block",
    "proxy_calls",
    "rest_of_block",
    "site_of",
    "sites_ahead",
]

_CONTROL_FLOW = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.Try,
    ast.TryStar,
    ast.With,
    ast.AsyncWith,
    ast.Match,
    ast.IfExp,
    ast.BoolOp,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.ClassDef,
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While, *_COMPREHENSIONS)


class Position(NamedTuple):
    """Where a call expression stands in its block; lines from 1, columns in UTF-8 bytes from 0.

    The interpreter starts a method call that spans lines at the method's name, not at its object.
    """

    line: int
    column: int
    end_line: int
    end_column: int


class CallSite(NamedTuple):
    """A call of a tool as a block's text has it: the tool, and where the call expression starts."""

    tool: str
    line: int
    column: int


@dataclass(frozen=True)
class Site:
    """What the block's own text says about a pending call.

    `known`: the reported position is a call expression of the block (a worker's word is evidence,
    not truth). `module_level`: outside functions and classes. `straight`: literally
    `proxy.tool(…)` and outside all control flow. `unique`: straight, and not reached before.
    """

    known: bool
    module_level: bool
    straight: bool
    unique: bool


def proxy_calls(tree: ast.AST, proxy: str) -> list[ast.Call]:
    """Return the direct calls of tools below a node, in source order.

    A tool is called as an attribute of the proxy, which may be that of an attribute (`fs.read(…)`,
    `apis.mail.send(…)`), or as the proxy itself where it has that name (`act(…)`).
    """
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _dotted(node.func)[:1] == [proxy]
    ]
    return sorted(calls, key=_position)


def _dotted(callee: ast.expr) -> list[str]:
    """Return the parts of a dotted name, or none for any other expression."""
    parts: list[str] = []
    while isinstance(callee, ast.Attribute):
        parts.append(callee.attr)
        callee = callee.value
    return [callee.id, *reversed(parts)] if isinstance(callee, ast.Name) else []


def parse_block(code: str) -> ast.Module:
    """Parse a block; SyntaxError, ValueError, RecursionError or MemoryError where it is none.

    The parser's warnings (an escape that is none) are the program's affair: no filter of this
    process may turn one into an error.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code)


def callee_of(proxy: str, tool: str) -> str:
    """Return how a program writes a tool that it calls."""
    return proxy if tool == proxy else f"{proxy}.{tool}"


def site_of(code: str, position: Position, proxy: str, hits: int) -> Site:
    """Describe the call at `position` of a block; `hits` counts earlier pauses there."""
    unknown = Site(known=False, module_level=False, straight=False, unique=False)
    try:
        tree = parse_block(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return unknown
    call = _call_at(tree, position)
    if call is None:
        return unknown
    _, *above = _path(_parents(tree), call)
    direct = any(call is known for known in proxy_calls(tree, proxy))
    straight = direct and not any(isinstance(node, _CONTROL_FLOW) for node in above)
    return Site(
        known=True,
        module_level=not any(isinstance(node, _SCOPES) for node in above),
        straight=straight,
        unique=straight and hits == 0,
    )


def rest_of_block(code: str, position: Position) -> str:
    """Return the text of a parsing block from the module-level statement that holds the call.

    Empty where no call stands at `position`.
    """
    # Only these end a line for the parser; str.splitlines would also cut at a form feed or U+2028.
    lines = code.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    before = 0
    for statement in parse_block(code).body:
        if _call_at(statement, position) is not None:
            if getattr(statement, "decorator_list", []):
                # Its text starts at an `@` that has no position of its own.
                return "\n".join(lines[before:])
            # `x = 1; y = fs.…` shares its line: cut inside it, in bytes as ast counts.
            first = statement.lineno
            head = lines[first - 1].encode()[statement.col_offset :].decode()
            return "\n".join([head, *lines[first:]])
        before = statement.end_lineno or 0
    return ""


def sites_ahead(code: str, position: Position, proxy: str) -> dict[CallSite, ast.Call]:
    """Return the direct calls of tools that a block paused at `position` may still make, in order.

    By its text alone: the pending call, those that end after it, those that share a loop with it,
    and those in functions. Empty where no call stands at `position`.
    """
    try:
        tree = parse_block(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    pending = _call_at(tree, position)
    if pending is None:
        return {}
    parents = _parents(tree)
    waiting = _path(parents, pending)
    loops = {node for node in waiting if isinstance(node, _LOOPS) and _once(node) not in waiting}
    past = {_once(loop) for loop in loops}
    found = {}
    for call in proxy_calls(tree, proxy):
        path = _path(parents, call)
        after = _position(call)[2:] >= _position(pending)[2:] and past.isdisjoint(path)
        again = any(loop in path and _once(loop) not in path for loop in loops)
        if after or again or any(isinstance(node, _FUNCTIONS) for node in path):
            _, *tool = _dotted(call.func)
            found[CallSite(".".join(tool) or proxy, call.lineno, call.col_offset)] = call
    return found


def _once(loop: ast.AST) -> ast.AST | None:
    """Return the part of a loop that is evaluated once, before all others."""
    if isinstance(loop, ast.For | ast.AsyncFor):
        return loop.iter
    return loop.generators[0].iter if isinstance(loop, _COMPREHENSIONS) else None


def literal_arguments(call: ast.Call | None) -> JsonObject:
    """Return the keyword arguments of a call that stand in the text as JSON values."""
    found: JsonObject = {}
    for keyword in call.keywords if call else ():
        try:
            value = ast.literal_eval(keyword.value)
            if keyword.arg is not None and json.loads(encode(value)) == value:
                found[keyword.arg] = value
        except (TypeError, ValueError, RecursionError):
            continue  # No literal, or one without a JSON form.
    return found


def _call_at(tree: ast.AST, position: Position) -> ast.Call | None:
    """Find the call whose last parenthesis is at the position's end, and that starts as it says."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _position(node)[2:] == position[2:]:
            starts = [(node.lineno, node.col_offset)]
            if isinstance(node.func, ast.Attribute):
                name = len(node.func.attr.encode())
                starts.append((node.func.end_lineno or 0, (node.func.end_col_offset or 0) - name))
            return node if position[:2] in starts else None
    return None


def _parents(tree: ast.Module) -> dict[ast.AST, ast.AST]:
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def _path(parents: Mapping[ast.AST, ast.AST], call: ast.Call) -> list[ast.AST]:
    """Return a node and those above it; without recursion, however deep the tree is."""
    path: list[ast.AST] = [call]
    while path[-1] in parents:
        path.append(parents[path[-1]])
    return path


def _position(node: ast.Call) -> Position:
    return Position(
        node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0
    )
