"""Rule: a batched read in a loop that skips what it has is widened to more of what it will read."""

import ast
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeGuard

from controlscope.boundaries import Boundary
from controlscope.canonical import JsonObject
from reviewers.heuristic.known import names
from reviewers.heuristic.rest import direct_call
from reviewers.heuristic.steps import chain

__all__ = ["widen"]

# A reply of more than 8 MiB is refused, and items differ in size.
_REPLY_BYTES = 2 * 1024 * 1024
_BARRIERS = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


@dataclass(frozen=True)
class _Inside:
    """A call in a loop: the nodes from the loop to the call, and the statements before the call."""

    loop: ast.For | ast.While
    path: list[ast.AST]
    call: ast.Call
    before: list[ast.stmt]

    @property
    def header(self) -> ast.expr:
        return self.loop.iter if isinstance(self.loop, ast.For) else self.loop.test


def widen(boundary: Boundary) -> JsonObject | None:
    """Return a wider list argument for the pending read, or None.

    A wider read saves calls only if the program asks later for less, and it breaks a program that
    pairs the reply with what it meant to ask. So all of this must hold:

    - the call is `proxy.tool(…)` of a read-only tool in a single loop, with one list of strings;
    - a dict or list in the variables (the *store*) holds every item of the tool's previous call,
      two at least, and none of the pending one: the program files what it read under the item;
    - a list named in the loop before the call is all filed items, then the pending ones, then more;
    - the loop skips filed items: `if item in store: continue`, or the call is under `if item not in
      store`, or the batch comes from a comprehension with exactly `if item not in store` and the
      loop ends or skips when that is empty (or by `len(store)`); no other condition leads to the
      call, since it could leave items out;
    - after the call, the loop mentions nothing that the argument was made from, but for such a
      comprehension and the length of a list that the loop leaves alone: the reply alone says what
      was read; and it takes no fixed number of parts from the reply.

    The list is widened as far as the reply, by the size of the previous one, stays below 2 MiB.
    """
    tool = boundary.tools.get(boundary.pending.tool)
    lists = {k: v for k, v in boundary.pending.arguments.items() if _texts(v) and v}
    if tool is None or not tool.read_only or len(lists) != 1:
        return None
    ((name, batch),) = lists.items()
    previous = _previous(boundary, name)
    tree = ast.parse(boundary.block.code)
    call = direct_call(tree, boundary)
    if previous is None or call is None:
        return None
    inside = _inside(chain(tree, call), call)
    argument = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    if inside is None or argument is None:
        return None
    items, size = previous
    most = _REPLY_BYTES * len(items) // max(1, size)
    variables = {**boundary.variables.module, **boundary.variables.block}
    for store, filed in sorted(variables.items()):
        if not (type(filed) is dict or _texts(filed)):
            continue
        if not set(items) <= set(filed) or set(batch) & set(filed):
            continue
        wider = _rest(inside, variables, set(filed), batch)[:most]
        if len(wider) > len(batch) and _skips(inside, argument, store):
            return {name: wider}
    return None


def _previous(boundary: Boundary, name: str) -> tuple[list[str], int] | None:
    """Return the items of the tool's previous call and its reply's length, if it read several."""
    for entry in reversed(boundary.history.entries):
        if entry["kind"] == "call" and entry["tool"] == boundary.pending.tool:
            items = entry["arguments"].get(name)
            if entry["is_error"] or not _texts(items) or len(items) < 2:
                return None
            return items, len(entry["observation"])
    return None


def _texts(value: Any) -> TypeGuard[list[str]]:
    return type(value) is list and all(type(item) is str for item in value)


def _inside(path: list[ast.AST], call: ast.Call) -> _Inside | None:
    """Look at the one loop around the call, if the loop's body itself runs the call."""
    for number in range(len(path) - 1, -1, -1):
        node = path[number]
        if isinstance(node, _BARRIERS):
            return None
        if isinstance(node, ast.For | ast.While):
            outer = any(isinstance(above, ast.For | ast.While) for above in path[:number])
            if outer or path[number + 1] not in node.body:
                return None
            path = path[number:]
            return _Inside(
                node, path, call, [s for pair in pairwise(path) for s in _earlier(*pair)]
            )
    return None


def _earlier(node: ast.AST, below: ast.AST) -> list[ast.stmt]:
    """Return the statements before `below` in the body that holds it."""
    body = getattr(node, "body", None)
    return body[: body.index(below)] if isinstance(body, list) and below in body else []


def _rest(
    inside: _Inside, variables: dict[str, Any], filed: set[str], batch: list[str]
) -> list[str]:
    """Return the pending items and those that follow, by the list in the loop that has fewest."""
    found = []
    for name in sorted(names(inside.header, *inside.before, inside.call)):
        items = variables.get(name)
        if not _texts(items) or len(set(items)) != len(items):
            continue
        rest = [item for item in items if item not in filed]
        longer = len(rest) > len(batch) and rest[: len(batch)] == batch
        if longer and items[len(items) - len(rest) :] == rest:
            found.append(rest)
    return min(found, key=len, default=[])


def _skips(inside: _Inside, argument: ast.expr, store: str) -> bool:
    """Tell whether the loop skips what the store holds, and lets the reply alone say what it is."""
    loop = inside.loop
    items = names(loop.target) if isinstance(loop, ast.For) else set()
    sources = _sources(argument, inside.before) - {store}
    feeding = sources & {name for node in ast.walk(loop) for name in _filtered(node, store)}
    guarded = False
    if isinstance(loop, ast.While) and feeding:
        guarded = bool(feeding & names(loop.test)) or _measures(loop.test, store)
    for node in filter(_jumps, inside.before):
        if not isinstance(node, ast.If):
            return False
        if _member(node.test, store, ast.In):
            # What follows such a guard runs once a read, so it may not speak of the item either.
            sources |= items
        elif _empty(node.test) not in feeding:
            return False
        guarded = True
    for above, below in pairwise(inside.path[1:]):
        match above:
            case ast.If(test, body) if below in body:
                full = isinstance(test, ast.Name) and test.id in feeding
                if not (full or _member(test, store, ast.NotIn)):
                    return False
                if _mentions_after(inside, body, items, store):
                    return False
                guarded = True
            case ast.Try(body) if below in body:
                pass
            case ast.stmt() if not isinstance(below, ast.expr):
                return False
    if _mentions_after(inside, loop.body, sources, store):
        return False
    return guarded and not _counts_parts(inside)


def _sources(argument: ast.expr, before: list[ast.stmt]) -> set[str]:
    """Return the names that the argument is made from, through assignments of the loop's body."""
    found = names(argument)
    for node in reversed(before):
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) or node.value is None:
            continue
        if names(*(node.targets if isinstance(node, ast.Assign) else [node.target])) & found:
            bound = {
                name
                for part in ast.walk(node.value)
                if isinstance(part, ast.comprehension)
                for name in names(part.target)
            }
            found |= names(node.value) - bound - {"len", "list", "min", "sorted"}
    return found


def _filtered(statement: ast.AST, store: str) -> set[str]:
    """Return the names that get a list comprehension with exactly one `if item not in store`."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        value = value.value
    match value:
        case ast.ListComp(generators=[ast.comprehension(ifs=[test])]) if _member(
            test, store, ast.NotIn
        ):
            assert isinstance(statement, ast.Assign)
            return names(*statement.targets)
    return set()


def _member(test: ast.expr, store: str, operator: type[ast.cmpop]) -> bool:
    match test:
        case ast.Compare(ast.Name(), [relation], [ast.Name(container)]):
            return container == store and isinstance(relation, operator)
    return False


def _empty(test: ast.expr) -> str | None:
    match test:
        case ast.UnaryOp(ast.Not(), ast.Name(name)):
            return name
    return None


def _measures(test: ast.expr, store: str) -> bool:
    return any(
        isinstance(node, ast.Call) and names(node) == {"len", store} for node in ast.walk(test)
    )


def _jumps(statement: ast.stmt) -> bool:
    jumps = (ast.Continue, ast.Break, ast.Return)
    return any(isinstance(node, jumps) for node in ast.walk(statement))


def _mentions_after(inside: _Inside, body: list[ast.stmt], sources: set[str], store: str) -> bool:
    """Tell whether a body reads a source of the argument after the call."""
    end = (inside.call.end_lineno or 0, inside.call.end_col_offset or 0)
    nodes = [node for statement in inside.loop.body for node in ast.walk(statement)]
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and _is_store(node)}
    harmless = {below for node in nodes if _filtered(node, store) for below in ast.walk(node)}
    for node in nodes:
        match node:
            case ast.Call(ast.Name("len"), [ast.Name(name) as measured]) if name not in stored:
                harmless.add(measured)
    return any(
        isinstance(node, ast.Name)
        and node.id in sources
        and not _is_store(node)
        and node not in harmless
        and (node.lineno, node.col_offset) >= end
        for statement in body
        for node in ast.walk(statement)
    )


def _counts_parts(inside: _Inside) -> bool:
    """Tell whether the loop unpacks or indexes the reply, or what it assigned from the reply."""
    replies: set[str] = set()
    for node in (node for statement in inside.loop.body for node in ast.walk(statement)):
        match node:
            case ast.Assign([target], value):
                if inside.call in ast.walk(value) or replies & names(value):
                    if not isinstance(target, ast.Name):
                        return True
                    replies.add(target.id)
            case ast.Subscript(value, ast.Constant(int()) | ast.UnaryOp()):
                if inside.call in ast.walk(value) or replies & names(value):
                    return True
    return False


def _is_store(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)
