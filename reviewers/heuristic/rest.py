"""The rest of a program as statements that can start again at the pending call.

Only what can be told from the public record: a statement of the module, or an iteration of a `for`
over a named list, whose steps before the call can be taken twice without a difference.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from controlscope.boundaries import Boundary
from controlscope.canonical import encode
from controlscope.continuations import Position, proxy_calls
from controlscope.operations import ReplaceBoundary
from reviewers.heuristic.known import Known, names

__all__ = [
    "Loop",
    "Place",
    "chain",
    "direct_call",
    "leading",
    "loop_here",
    "place_of",
    "queued",
    "rest_from_here",
]

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Place:
    """The pending call in its block: `rest[0]` is the module-level statement that holds it."""

    call: ast.Call
    rest: list[ast.stmt]


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


def place_of(boundary: Boundary) -> Place | None:
    """Find the pending call, where it is literally `proxy.tool(…)` at module level."""
    if not (boundary.site.known and boundary.site.module_level):
        return None
    tree = ast.parse(boundary.block.code)
    call = direct_call(tree, boundary)
    for number, statement in enumerate(tree.body):
        if call and _holds(statement, call):
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


def chain(root: ast.AST, call: ast.Call) -> list[ast.AST]:
    """Return the nodes from `root` down to the call, both included."""
    path = [root]
    while path[-1] is not call:
        path.append(next(node for node in ast.iter_child_nodes(path[-1]) if _holds(node, call)))
    return path


def rest_from_here(
    boundary: Boundary, known: Known, replace: ReplaceBoundary
) -> list[ast.stmt] | None:
    """Return the rest of the program from the pending call on, or None where that is uncertain."""
    place = place_of(boundary)
    after = queued(boundary, replace)
    if place is None or after is None:
        return None
    first = place.rest[0]
    if isinstance(first, ast.For) and not _holds(first.iter, place.call):
        loop = loop_here(place, boundary, known)
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


def loop_here(place: Place, boundary: Boundary, known: Known) -> Loop | None:
    """Find the iteration that waits, where the loop can be started again at its beginning.

    What must hold: the loop runs over a named list (or `sorted` or `enumerate` of one) that
    nothing in the body can change; nothing before the pending call in the body does more than
    compute; and the variables tell the iteration without doubt, by the counter of `enumerate` or
    by an element that is in the list once.
    """
    statement = place.rest[0]
    if not isinstance(statement, ast.For):
        return None
    module = boundary.variables.module
    list_name = _list_name(statement.iter, known)
    steps = leading(statement.body, place.call, known, names(statement.target))
    if list_name is None or steps is None or not _untouched(statement, list_name, known):
        return None
    items = _items(statement.iter, module.get(list_name))
    stable = {
        name: module[name] for name in names(statement.target) - _stored(steps) if name in module
    }
    if items is None:
        return None
    here = [number for number, item in enumerate(items) if _matches(statement.target, item, stable)]
    return Loop(statement, list_name, here[0], len(items)) if len(here) == 1 else None


def leading(
    statements: list[ast.stmt],
    call: ast.Call,
    known: Known,
    given: set[str] | None = None,
    then: list[ast.stmt] | None = None,
) -> list[ast.stmt] | None:
    """Return the steps of a body before the call, with `then` in the place of its statement.

    None where they do more than compute, or where taking them twice could differ from taking them
    once: a name may not be read before it is written. `given` are the names that are always
    written first (loop targets).
    """
    steps = _steps(statements, call, known, then or [])
    if steps is None:
        return None
    written = set(given or ())
    early: set[str] = set()
    for name, store in _accesses(steps):
        if store:
            written.add(name)
        elif name not in written:
            early.add(name)
    return steps if not early & _stored(steps) else None


def _steps(
    statements: list[ast.stmt], call: ast.Call, known: Known, then: list[ast.stmt]
) -> list[ast.stmt] | None:
    number = next(number for number, node in enumerate(statements) if _holds(node, call))
    before, at = statements[:number], statements[number]
    if not all(_computes(node, known) for node in before):
        return None
    inner: list[ast.stmt] | None
    match at:
        case ast.If(test, body, orelse) if not _holds(test, call):
            in_body = any(_holds(node, call) for node in body)
            inner = _steps(body if in_body else orelse, call, known, then)
            if inner is None or not known.pure(test):
                return None
            inner = inner or [ast.Pass()]
            step = ast.If(test, inner, []) if in_body else ast.If(test, [ast.Pass()], inner)
            return [*before, step]
        case ast.Try(body) if any(_holds(node, call) for node in body):
            inner = _steps(body, call, known, then)
            return None if inner is None else [*before, *inner]
    return [*before, *then] if _reached_once(at, call, known) else None


def _computes(statement: ast.stmt, known: Known) -> bool:
    """Tell whether a statement only computes and binds plain names, or leaves the iteration."""
    match statement:
        case ast.Assign(targets, value):
            return all(_plain(target) for target in targets) and known.pure(value)
        case ast.AnnAssign(ast.Name(), annotation, value):
            return known.pure(annotation) and (value is None or known.pure(value))
        case ast.If(test, body, orelse):
            return known.pure(test) and all(_computes(node, known) for node in [*body, *orelse])
        case ast.Expr(ast.Constant()) | ast.Pass() | ast.Continue() | ast.Break():
            return True
    return False


def _plain(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple | ast.List):
        return all(_plain(part) for part in target.elts)
    return isinstance(target, ast.Name)


def _reached_once(statement: ast.stmt, call: ast.Call, known: Known) -> bool:
    """Tell whether a statement runs its call at most once, and up to it only computes."""
    path = chain(statement, call)
    match statement:
        case ast.For(iter=header):
            if header is not path[1]:
                return False
        case ast.If(test=header):
            if header is not path[1]:
                return False
        case ast.Expr() | ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            pass
        case _:
            return False
    for node, below in pairwise(path):
        if isinstance(node, ast.Lambda):
            return False
        # The first iterable of a comprehension is evaluated once, whatever follows.
        if isinstance(node, _COMPREHENSIONS) and below is not node.generators[0]:
            return False
        if isinstance(node, ast.comprehension) and below is not node.iter:
            return False
    if not known.pure(*call.args, *(keyword.value for keyword in call.keywords)):
        return False
    start = (call.lineno, call.col_offset)
    root = path[1] if isinstance(statement, ast.For | ast.If) else statement
    others = [node for node in ast.walk(root) if node not in path]
    return not any(
        isinstance(node, ast.NamedExpr | ast.Call)
        and (node.lineno, node.col_offset) < start
        and not known.pure(node)
        for node in others
    )


def _accesses(steps: list[ast.stmt]) -> Iterator[tuple[str, bool]]:
    """Yield the names that steps read (False) and write (True), in the order of evaluation."""
    for step in steps:
        parts: list[ast.AST] = [step]
        if isinstance(step, ast.Assign):
            parts = [step.value, *step.targets]
        elif isinstance(step, ast.AnnAssign) and step.value:
            parts = [step.value, step.target]
        elif isinstance(step, ast.If):
            parts = [step.test]
        for part in parts:
            for node in ast.walk(part):
                if isinstance(node, ast.Name):
                    yield node.id, isinstance(node.ctx, ast.Store)
        if isinstance(step, ast.If):
            yield from _accesses([*step.body, *step.orelse])


def _stored(steps: list[ast.stmt]) -> set[str]:
    return {name for name, store in _accesses(steps) if store}


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


def _holds(node: ast.AST, call: ast.Call) -> bool:
    return any(below is call for below in ast.walk(node))
