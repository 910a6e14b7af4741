"""Where a pending call stands in its block, and what of the block is still to run."""

import ast
import warnings
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Position", "Site", "parse_block", "proxy_calls", "rest_of_block", "site_of"]

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
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Position(NamedTuple):
    """Where a call expression stands in its block; lines from 1, columns in UTF-8 bytes from 0.

    The interpreter starts a method call that spans lines at the method's name, not at its object.
    """

    line: int
    column: int
    end_line: int
    end_column: int


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
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and _root(node.func) == proxy
    ]
    return sorted(calls, key=_position)


def _root(callee: ast.expr) -> str | None:
    """Return the name that a dotted name starts with, or None for any other expression."""
    while isinstance(callee, ast.Attribute):
        callee = callee.value
    return callee.id if isinstance(callee, ast.Name) else None


def parse_block(code: str) -> ast.Module:
    """Parse a block; SyntaxError, ValueError, RecursionError or MemoryError where it is none.

    The parser's warnings (an escape that is none) are the program's affair: no filter of this
    process may turn one into an error.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code)


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
    above = _above(tree, call)
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


def _above(tree: ast.Module, call: ast.Call) -> list[ast.AST]:
    """Return the nodes above a node of a tree; without recursion, however deep the tree is."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    path: list[ast.AST] = [call]
    while path[-1] in parents:
        path.append(parents[path[-1]])
    return path[1:]


def _position(node: ast.Call) -> Position:
    return Position(
        node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0
    )
