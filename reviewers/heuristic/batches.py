"""Rule: a module-level loop that reads one file an iteration reads ahead in batches instead."""

import ast
import inspect

from controlscope.boundaries import Boundary
from controlscope.continuations import proxy_calls
from controlscope.operations import Replace, ReplaceBoundary
from reviewers.heuristic.known import Known, names
from reviewers.heuristic.loops import Loop, loop_here
from reviewers.heuristic.rest import Place, place_of, queued
from reviewers.heuristic.steps import leading

__all__ = ["BATCH", "read_in_batches", "split_reply"]

BATCH = 25
"""Files in one batched read: a hundred files cost four calls, and a reply stays moderate."""

_WHOLE_READS = frozenset({"read_text_file", "read_file"})
_CHANGES = {
    "write_file": frozenset({"path"}),
    "edit_file": frozenset({"path"}),
    "move_file": frozenset({"source", "destination"}),
    "create_directory": frozenset[str](),
}
"""Tools that may stand beside the read, with the parameters that name what they change."""

_BUILTINS = ("Exception", "ToolError", "dict", "len", "list", "str", "type", "zip")


def split_reply(paths: list[str], text: str) -> dict[str, str]:
    """Return the content of each file of a batched reply that could be read; exact, or empty.

    An entry is `PATH:`, the content and a line end, or `PATH: Error - …`, and `---` on a line of
    its own comes between two. A content may hold such lines itself, so the reply is cut only where
    the next expected path's header can be found in just one place; else nothing is returned.
    """
    starts = [0]
    for path in paths[1:]:
        header = f"\n---\n{path}:"
        start = text.find(header)
        if start < 0 or start != text.rfind(header):
            return {}
        starts.append(start)
    contents = {}
    for path, start, end in zip(paths, starts, [*starts[1:], len(text)], strict=True):
        entry = text[start:end] if start == 0 else text[start + len("\n---\n") : end]
        body = entry[len(path) + 1 :]
        if body.startswith("\n") and body.endswith("\n") and len(body) > 1:
            contents[path] = body[1:-1]
        elif not body.startswith(" Error - "):
            return {}
    return contents


# Names in capitals are put in when the code is made; what was not read surely is read as before.
_READ_AHEAD = """
def READ(path):
    if path in WAITING:
        start = WAITING.index(path)
        batch = WAITING[start : start + COUNT]
        del WAITING[start : start + COUNT]
        try:
            FETCHED.update(SPLIT(batch, PROXY.read_multiple_files(paths=batch)))
        except ToolError:
            pass
    return FETCHED.pop(path) if path in FETCHED else PROXY.TOOL(path=path)
"""
_CHANGED = """
def CHANGED(path):
    last = NORMALIZE("NFC", path).rstrip("/").rpartition("/")[2]
    for name in list(FETCHED):
        if last in ("", ".", "..") or last in NORMALIZE("NFC", name).split("/"):
            del FETCHED[name]
    return path
"""
_UPCOMING = """
def UPCOMING():
    PATHS = {}
    for ITEM in ITEMS:
        try:
            STEPS
        except Exception:
            continue
    return [path for path in PATHS if type(path) is str]
FETCHED = {}
WAITING = UPCOMING()
"""


def read_in_batches(boundary: Boundary, known: Known, replace: ReplaceBoundary) -> Replace | None:
    """Replace the loop's rest by one that reads ahead, where its reads cannot fit the calls left.

    What must hold, beside what `loop_here` asks: the pending call is the body's only read, a whole
    text file by `path`; every other call of the body is one of `_CHANGES`, by keyword, and nothing
    the body uses can hide a call. The loop's own code then runs as it was, with the fetched text in
    place of the call. What could not be read or split with certainty, what another path was asked
    for, and what the body changed after it was fetched is read by the original call, so that errors
    come when and as they would have come.
    """
    place = place_of(boundary)
    after = queued(boundary, replace)
    if place is None or after is None or "read_multiple_files" not in boundary.tools:
        return None
    loop = loop_here(place.rest[0], place.call, boundary, known)
    if loop is None or not _is_whole_read(place.call, boundary):
        return None
    calls = _calls(loop, place, boundary, known)
    later = sum(len(proxy_calls(node, boundary.proxy)) for node in place.rest[1:] if _plain(node))
    left = boundary.remaining.calls
    if calls is None or left is None or (loop.length - loop.index) * len(calls) + later <= left:
        return None
    body = [*_batched(loop, place, calls, boundary, known), *place.rest[1:], *after]
    return Replace(ast.unparse(ast.fix_missing_locations(ast.Module(body, []))))


def _is_whole_read(call: ast.Call, boundary: Boundary) -> bool:
    tool = boundary.tools.get(boundary.pending.tool)
    return (
        tool is not None
        and tool.read_only
        and tool.name in _WHOLE_READS
        and not call.args
        and [keyword.arg for keyword in call.keywords] == ["path"]
    )


def _calls(loop: Loop, place: Place, boundary: Boundary, known: Known) -> list[ast.Call] | None:
    """Return the calls of the loop's body, or None where they are not what the rule asks for."""
    body = loop.statement.body
    calls = proxy_calls(ast.Module(body, []), boundary.proxy)
    hidden = known.reachable(names(*body) - {boundary.proxy})
    if known.aliased or boundary.proxy in hidden or not all(map(known.builtin, _BUILTINS)):
        return None
    for call in calls:
        parameters = {keyword.arg for keyword in call.keywords}
        changes = _CHANGES.get(_tool(call))
        if call is not place.call and (changes is None or call.args or not changes <= parameters):
            return None
    return calls


def _batched(
    loop: Loop, place: Place, calls: list[ast.Call], boundary: Boundary, known: Known
) -> list[ast.stmt]:
    """Return the loop's rest with its read replaced, after the functions that read ahead."""
    fresh: dict[str, str] = {"PROXY": boundary.proxy}
    for name in (
        "READ",
        "WAITING",
        "FETCHED",
        "UPCOMING",
        "PATHS",
        "CHANGED",
        "NORMALIZE",
        "SPLIT",
    ):
        wanted = {"READ": "read_ahead", "SPLIT": "split_reply"}.get(name, name.lower())
        while wanted in known.taken:
            wanted += "_"
        fresh[name] = wanted
    path = place.call.keywords[0].value
    kept = ast.Name(fresh["PATHS"], ast.Load())
    steps = leading(
        loop.statement.body,
        place.call,
        known,
        names(loop.statement.target),
        [ast.Assign([ast.Subscript(kept, path, ast.Store())], ast.Constant(None))],
    )
    parts: dict[str, ast.expr] = {
        "ITEM": loop.statement.target,
        "ITEMS": loop.resumed(),
        "COUNT": ast.Constant(BATCH),
    }
    support = [inspect.getsource(split_reply), _READ_AHEAD]
    if len(calls) > 1:
        support += [f"from unicodedata import normalize as {fresh['NORMALIZE']}", _CHANGED]
    template = _Fill(fresh, parts, _tool(place.call), steps or [])
    made = [
        template.visit(node) for source in [*support, _UPCOMING] for node in ast.parse(source).body
    ]
    rewrite = _Rewrite(place.call, calls, fresh)
    body = [rewrite.visit(node) for node in loop.statement.body]
    resumed = ast.For(loop.statement.target, loop.resumed(), body, loop.statement.orelse)
    return [*made, resumed]


class _Fill(ast.NodeTransformer):
    """Puts names, expressions and the steps to the read into a template."""

    def __init__(
        self, fresh: dict[str, str], parts: dict[str, ast.expr], tool: str, steps: list[ast.stmt]
    ) -> None:
        self._fresh = fresh
        self._parts = parts
        self._tool = tool
        self._steps = steps

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if node.name == split_reply.__name__:
            node.name = self._fresh["SPLIT"]
            _, *node.body = node.body  # its docstring is for this file's reader
            return node
        node.name = self._fresh[node.name]
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self._parts:
            return self._parts[node.id]
        return ast.Name(self._fresh.get(node.id, node.id), node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        node.attr = self._tool if node.attr == "TOOL" else node.attr
        return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        if isinstance(node.body[0], ast.Expr) and names(node.body[0]) == {"STEPS"}:
            node.body = self._steps
            return node
        return self.generic_visit(node)


class _Rewrite(ast.NodeTransformer):
    """Puts the fetched text in the place of the read, and tells of each path that changes."""

    def __init__(self, read: ast.Call, calls: list[ast.Call], fresh: dict[str, str]) -> None:
        self._read = read
        self._calls = calls
        self._fresh = fresh

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if node is self._read:
            return ast.Call(ast.Name(self._fresh["READ"]), [node.keywords[0].value], [])
        if node in self._calls:
            for keyword in node.keywords:
                if keyword.arg in _CHANGES[_tool(node)]:
                    changed = ast.Name(self._fresh["CHANGED"])
                    keyword.value = ast.Call(changed, [keyword.value], [])
        return node


def _tool(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _plain(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign | ast.AugAssign)
