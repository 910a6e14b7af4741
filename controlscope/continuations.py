"""Where a pending call stands in its block, and what of the block is still to run."""

import ast
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Position", "Site", "proxy_calls", "rest_of_block", "site_of"]

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
    """Where a call expression stands in its block; lines from 1, columns in UTF-8 bytes from 0."""

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
    """Return the direct calls `proxy.tool(…)` below a node, in source order."""
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == proxy
    ]
    return sorted(calls, key=_position)


def site_of(code: str, position: Position, proxy: str, hits: int) -> Site:
    """Describe the call at `position` of a parsing block; `hits` counts earlier pauses there."""
    tree = ast.parse(code)
    ancestors = _ancestors(tree, position)
    if ancestors is None:
        return Site(known=False, module_level=False, straight=False, unique=False)
    direct = any(_position(call) == position for call in proxy_calls(tree, proxy))
    straight = direct and not any(isinstance(node, _CONTROL_FLOW) for node in ancestors)
    return Site(
        known=True,
        module_level=not any(isinstance(node, _SCOPES) for node in ancestors),
        straight=straight,
        unique=straight and hits == 0,
    )


def rest_of_block(code: str, position: Position) -> str:
    """Return the block's text from the module-level statement that holds `position` to its end."""
    # Only these end a line for the parser; str.splitlines would also cut at a form feed or U+2028.
    lines = code.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for statement in ast.parse(code).body:
        end = (statement.end_lineno or 0, statement.end_col_offset or 0)
        if end >= (position.end_line, position.end_column):
            decorators = getattr(statement, "decorator_list", [])
            first = min([statement.lineno, *(node.lineno for node in decorators)])
            # `x = 1; y = fs.…` shares its line: cut inside it, in bytes as ast counts.
            head = lines[first - 1].encode()[statement.col_offset * (not decorators) :].decode()
            return "\n".join([head, *lines[first:]])
    return ""


def _ancestors(tree: ast.Module, position: Position) -> list[ast.AST] | None:
    """Return the nodes above the call expression at `position`, or None if there is none."""
    path: list[ast.AST] = []

    def descend(node: ast.AST) -> bool:
        if isinstance(node, ast.Call) and _position(node) == position:
            return True
        path.append(node)
        if any(descend(child) for child in ast.iter_child_nodes(node)):
            return True
        path.pop()
        return False

    return path if descend(tree) else None


def _position(node: ast.Call) -> Position:
    return Position(
        node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0
    )
