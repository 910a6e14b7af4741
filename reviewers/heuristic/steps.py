"""The steps that lead to a call in a body, where they can be taken twice without a difference."""

import ast
from collections.abc import Iterator
from itertools import pairwise

from reviewers.heuristic.known import Known

__all__ = ["chain", "holds", "leading", "stored"]

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def holds(node: ast.AST, call: ast.Call) -> bool:
    """Tell whether the call stands below a node."""
    return any(below is call for below in ast.walk(node))


def chain(root: ast.AST, call: ast.Call) -> list[ast.AST]:
    """Return the nodes from `root` down to the call, both included."""
    path = [root]
    while path[-1] is not call:
        path.append(next(node for node in ast.iter_child_nodes(path[-1]) if holds(node, call)))
    return path


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
    return steps if not early & stored(steps) else None


def stored(steps: list[ast.stmt]) -> set[str]:
    """Return the names that steps write."""
    return {name for name, store in _accesses(steps) if store}


def _steps(
    statements: list[ast.stmt], call: ast.Call, known: Known, then: list[ast.stmt]
) -> list[ast.stmt] | None:
    number = next((number for number, node in enumerate(statements) if holds(node, call)), None)
    if number is None:
        return None
    before, at = statements[:number], statements[number]
    if not all(_computes(node, known) for node in before):
        return None
    inner: list[ast.stmt] | None
    match at:
        case ast.If(test, body, orelse) if not holds(test, call):
            in_body = any(holds(node, call) for node in body)
            inner = _steps(body if in_body else orelse, call, known, then)
            if inner is None or not known.pure(test):
                return None
            inner = inner or [ast.Pass()]
            step = ast.If(test, inner, []) if in_body else ast.If(test, [ast.Pass()], inner)
            return [*before, step]
        case ast.Try(body) if any(holds(node, call) for node in body):
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
