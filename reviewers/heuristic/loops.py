"""A module-level loop over a named list, and the iteration in which it waits."""

import ast
from dataclasses import dataclass
from typing import Any

from controlscope.boundaries import Boundary
from controlscope.canonical import encode
from reviewers.heuristic.known import Known, names
from reviewers.heuristic.steps import leading, stored

__all__ = ["Loop", "loop_here"]


@dataclass(frozen=True)
class Loop:
    """A module-level `for` over a named list, before the first call of iteration `index`."""

    statement: ast.For
    list_name: str
    index: int
    length: int

    def resumed(self) -> ast.expr:
        """Return what is left to iterate over, as an expression over the named list."""
        return _sliced(self.statement.iter, self.index)


def loop_here(statement: ast.stmt, call: ast.Call, boundary: Boundary, known: Known) -> Loop | None:
    """Find the iteration that waits, where the loop can be started again at its beginning.

    What must hold: the loop runs over a named list (or `sorted` or `enumerate` of one) that
    nothing in the body can change; nothing before the pending call in the body does more than
    compute; and the variables tell the iteration without doubt, by the counter of `enumerate` or
    by an element that is in the list once.
    """
    if not isinstance(statement, ast.For):
        return None
    module = boundary.variables.module
    list_name = _list_name(statement.iter, known)
    steps = leading(statement.body, call, known, names(statement.target))
    if list_name is None or steps is None or not _untouched(statement, list_name, known):
        return None
    items = _items(statement.iter, module.get(list_name))
    stable = {
        name: module[name] for name in names(statement.target) - stored(steps) if name in module
    }
    if items is None:
        return None
    here = [number for number, item in enumerate(items) if _matches(statement.target, item, stable)]
    return Loop(statement, list_name, here[0], len(items)) if len(here) == 1 else None


def _list_name(iterable: ast.expr, known: Known) -> str | None:
    match iterable:
        case ast.Name(name):
            return name
        case ast.Call(ast.Name("sorted"), [ast.Name(name)], []) if known.builtin("sorted"):
            return name
        case (
            ast.Call(ast.Name("enumerate"), [inner], [])
            | ast.Call(ast.Name("enumerate"), [inner, ast.Constant(int())], [])
            | ast.Call(ast.Name("enumerate"), [inner], [ast.keyword("start", ast.Constant(int()))])
        ):
            nested = isinstance(inner, ast.Call) and names(inner.func) == {"enumerate"}
            return _list_name(inner, known) if known.builtin("enumerate") and not nested else None
    return None


def _start(enumerated: ast.Call) -> int:
    given = [*enumerated.args[1:], *(keyword.value for keyword in enumerated.keywords)]
    return int(ast.literal_eval(given[0])) if given else 0


def _items(iterable: ast.expr, value: Any) -> list[Any] | None:
    """Return what a loop over a named list goes through, as JSON."""
    if type(value) is not list:
        return None
    match iterable:
        case ast.Call(ast.Name("sorted")):
            return sorted(value) if all(type(item) is str for item in value) else None
        case ast.Call(ast.Name("enumerate")):
            inner = _items(iterable.args[0], value)
            return inner and [[number, item] for number, item in enumerate(inner, _start(iterable))]
    return value


def _sliced(iterable: ast.expr, index: int) -> ast.expr:
    if isinstance(iterable, ast.Call) and names(iterable.func) == {"enumerate"}:
        start = ast.Constant(_start(iterable) + index)
        return ast.Call(iterable.func, [_sliced(iterable.args[0], index), start], [])
    return ast.Subscript(iterable, ast.Slice(ast.Constant(index)), ast.Load())


def _matches(target: ast.expr, item: Any, variables: dict[str, Any]) -> bool:
    """Tell whether an element is what the loop's target now holds, as far as that is known."""
    match target:
        case ast.Name(name):
            return name not in variables or encode(variables[name]) == encode(item)
        case ast.Tuple(parts) | ast.List(parts):
            return (
                type(item) is list
                and len(item) == len(parts)
                and all(_matches(*pair, variables) for pair in zip(parts, item, strict=True))
            )
    return False


def _untouched(loop: ast.For, list_name: str, known: Known) -> bool:
    """Tell whether nothing in a loop's body can change the list that it runs over."""
    lengths = [
        node.args[0]
        for root in loop.body
        for node in ast.walk(root)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "len"
        and len(node.args) == 1
    ]
    mentions = [
        node
        for root in [loop.target, *loop.body]
        for node in ast.walk(root)
        if isinstance(node, ast.Name) and node.id == list_name and node not in lengths
    ]
    reached = known.reachable(names(*loop.body) - {list_name})
    return known.builtin("len") and not mentions and list_name not in reached
