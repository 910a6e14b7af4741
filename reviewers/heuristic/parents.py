"""Rule: a write failed for want of its folder, so the folder is made before anything else."""

import ast
import keyword
import posixpath
import re
from typing import Any

from controlscope.boundaries import Boundary
from controlscope.canonical import JsonObject
from controlscope.operations import Replace, ReplaceBoundary
from reviewers.heuristic.known import Known
from reviewers.heuristic.rest import rest_from_here

__all__ = ["create_parent", "missing_parent"]

_PARENT = re.compile(r"Parent directory does not exist: (.+)", re.DOTALL)
_OPEN = re.compile(r"ENOENT: no such file or directory, open '(.+)'", re.DOTALL)


def missing_parent(call: JsonObject) -> str | None:
    """Return the folder whose absence a failed `call` of the history names, or None.

    The server names the folder itself, or, of a file to be written, the path that it could not
    open; only a missing folder does that to a write.
    """
    if not call["is_error"]:
        return None
    named = _PARENT.fullmatch(call["observation"])
    if named:
        return named[1]
    opened = _OPEN.fullmatch(call["observation"])
    if opened and call["tool"] == "write_file":
        return posixpath.dirname(opened[1]) or None
    return None


def create_parent(boundary: Boundary, known: Known, replace: ReplaceBoundary) -> Replace | None:
    """Create the folder that the last call's error names, redo the write if it can be, and go on.

    What must hold: the failed write is the last call; the program does not create a folder by
    itself now, and did not create this one before; the rest of the program can start at the
    pending call. The write is redone only where a module variable, or an element of one, is its
    content, and the pending call does not write the same path anyway.
    """
    calls = [entry for entry in boundary.history.entries if entry["kind"] == "call"]
    parent = missing_parent(calls[-1]) if calls else None
    if parent is None or boundary.pending.tool == "create_directory":
        return None
    if "create_directory" not in boundary.tools or {"path": parent} in [
        call["arguments"] for call in calls if call["tool"] == "create_directory"
    ]:
        return None
    rest = rest_from_here(boundary, known, replace)
    if rest is None:
        return None
    first = [_call(boundary, "create_directory", path=ast.Constant(parent))]
    arguments = calls[-1]["arguments"]
    holder = _holder(arguments.get("content"), boundary.variables.module)
    path = arguments.get("path")
    repeats = (boundary.pending.tool, boundary.pending.arguments.get("path")) == (
        "write_file",
        path,
    )
    if calls[-1]["tool"] == "write_file" and holder and not repeats:
        written = {"path": ast.Constant(path), "content": holder}
        first.append(_call(boundary, "write_file", **written))
    module = ast.Module([*first, *rest], [])
    return Replace(ast.unparse(ast.fix_missing_locations(module)))


def _holder(content: Any, module: JsonObject) -> ast.expr | None:
    """Return the first variable, by name, that is exactly this text, or has it as an element."""
    if type(content) is not str:
        return None
    for name, value in sorted(module.items()):
        if not name.isidentifier() or keyword.iskeyword(name):
            continue
        if value == content:
            return ast.Name(name)
        keys = value if type(value) is dict else range(len(value)) if type(value) is list else ()
        for key in keys:
            if value[key] == content:
                return ast.Subscript(ast.Name(name), ast.Constant(key))
    return None


def _call(boundary: Boundary, tool: str, **arguments: ast.expr) -> ast.stmt:
    function = ast.Attribute(ast.Name(boundary.proxy), tool)
    keywords = [ast.keyword(name, value) for name, value in arguments.items()]
    return ast.Expr(ast.Call(function, [], keywords))
