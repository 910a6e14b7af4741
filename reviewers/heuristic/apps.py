"""Rules for programs that use apps through `apis`, from the tools' schemas and earlier answers.

They know three conventions of such APIs, each told by a schema itself: lists come in pages, of a
limit that has a maximum; an access token is what the app's login returned; and a required argument
has one name.
"""

import ast
import json
from difflib import SequenceMatcher

from controlscope.boundaries import Boundary
from controlscope.canonical import JsonObject
from controlscope.continuations import literal_arguments, proxy_calls, sites_ahead
from controlscope.operations import (
    EditParameters,
    Keep,
    PatchArguments,
    Replace,
    ReplaceBoundary,
    Scope,
    permitted,
)
from controlscope.roles import Review
from reviewers.rest import rest_of_program

__all__ = ["APIS", "review_of_apps"]

APIS = "apis"
"""The proxy of such an environment; its tools are `app.api`."""

_TOKEN, _INDEX, _LIMIT = "access_token", "page_index", "page_limit"
_LARGEST_PAGE = 100
_NEAR = 0.6
"""The least likeness (difflib's ratio) of an argument's name to the one that it becomes."""


def review_of_apps(boundary: Boundary, scope: Scope, replace: ReplaceBoundary) -> Review:
    """Apply the first rule that holds: what makes a call fail first, then what it leaves unread."""
    token = _missing_token(boundary)
    if token is not None:
        return Review(_edit(boundary, scope, token), "the app's access token is left out")
    if scope == "full":
        renamed = _renamed(boundary, replace)
        if renamed is not None:
            return Review(renamed, "an argument has another name")
        pages = _all_pages(boundary, replace)
        if pages is not None:
            return Review(pages, "the pages after the first are read too")
    limit = _larger_pages(boundary)
    if limit is not None:
        return Review(_edit(boundary, scope, limit), "pages of the largest size")
    return Review(Keep())


def _edit(
    boundary: Boundary, scope: Scope, arguments: JsonObject
) -> PatchArguments | EditParameters:
    """Patch the pending call or, where the scope lets it, each call ahead that lacks the same.

    Calls ahead lack a token where they are of the same app, and a page limit where of the same API.
    """
    pending = boundary.pending
    if EditParameters not in permitted(scope, boundary.contract):
        return PatchArguments(arguments)
    ahead = sites_ahead(boundary.block.code, pending.position, boundary.proxy)
    app = pending.tool.partition(".")[0]
    overrides = {pending.site: arguments}
    for site, call in ahead.items():
        tool = boundary.tools.get(site.tool)
        written = {keyword.arg for keyword in call.keywords}
        if tool is None or call.args or None in written:
            continue
        if _TOKEN in arguments:
            like = site.tool.partition(".")[0] == app and _TOKEN not in written
            like = like and _TOKEN in tool.input_schema.get("required", ())
        else:
            of_literal = _LIMIT not in written or _LIMIT in literal_arguments(call)
            like = site.tool == pending.tool and of_literal
        if like:
            overrides[site] = arguments
    repeated = not boundary.site.straight
    return (
        EditParameters(overrides) if len(overrides) > 1 or repeated else PatchArguments(arguments)
    )


def _missing_token(boundary: Boundary) -> JsonObject | None:
    """Return the token that a pending call lacks, as its app's last login gave it."""
    pending = boundary.pending
    tool = boundary.tools.get(pending.tool)
    if tool is None or _TOKEN in pending.arguments:
        return None
    if _TOKEN not in tool.input_schema.get("required", ()):
        return None
    login = f"{pending.tool.partition('.')[0]}.login"
    for entry in reversed(boundary.history.entries):
        if entry["kind"] == "call" and entry["tool"] == login and not entry["is_error"]:
            match json.loads(entry["observation"]):
                case {"access_token": str(token)}:
                    return {_TOKEN: token}
            return None
    return None


def _larger_pages(boundary: Boundary) -> JsonObject | None:
    """Return the largest page limit for a list's first page, or where the last page had it too.

    A later page of another size than the ones before it would leave entries out.
    """
    pending, largest = boundary.pending, _largest_page(boundary)
    if largest is None or pending.arguments.get(_LIMIT) == largest:
        return None
    if pending.arguments.get(_INDEX, 0) != 0:
        before = [
            entry
            for entry in boundary.history.entries
            if entry["kind"] == "call" and entry["tool"] == pending.tool
        ]
        if not before or before[-1]["arguments"].get(_LIMIT) != largest:
            return None
    return {_LIMIT: largest}


def _largest_page(boundary: Boundary) -> int | None:
    """Return the largest page that the pending API gives, or None where it gives no pages."""
    tool = boundary.tools.get(boundary.pending.tool)
    known = tool.input_schema.get("properties", {}) if tool else {}
    if _INDEX not in known or "maximum" not in known.get(_LIMIT, {}):
        return None
    return min(int(known[_LIMIT]["maximum"]), _LARGEST_PAGE)


def _all_pages(boundary: Boundary, replace: ReplaceBoundary) -> Replace | None:
    """Replace `name = api(…)`, which reads one page, by reading pages until one is not full.

    No call ahead may ask for a page itself.
    """
    largest = _largest_page(boundary)
    if largest is None or not boundary.site.straight:
        return None
    if boundary.pending.arguments.get(_INDEX, 0) != 0:
        return None
    body = ast.parse(rest_of_program(boundary, replace)).body
    callee = f"{boundary.proxy}.{boundary.pending.tool}"
    match body[0]:
        case ast.Assign([ast.Name(name)], ast.Call(func, [], keywords) as call):
            pass
        case _:
            return None
    same = [
        other
        for statement in body
        for other in proxy_calls(statement, boundary.proxy)
        if ast.unparse(other.func) == callee
    ]
    if ast.unparse(func) != callee or same != [call]:
        return None
    given = [ast.unparse(known) for known in keywords if known.arg not in (_INDEX, _LIMIT)]
    pages = _unused("pages", boundary, body)
    page = f"{callee}({', '.join([*given, f'{_LIMIT}={largest}', f'{_INDEX}='])}"
    code = (
        f"{pages} = [{page}0)]\n"
        f"while len({pages}[-1]) == {largest}:\n"
        f"    {pages}.append({page}len({pages})))\n"
        f"{name} = [entry for page in {pages} for entry in page]\n"
    )
    return Replace(code + ast.unparse(ast.Module(body[1:], [])))


def _renamed(boundary: Boundary, replace: ReplaceBoundary) -> Replace | None:
    """Rename an argument that the pending API does not know to the nearest that is still free.

    The statement that waits starts again: it makes this one call alone, or nothing in this block
    has written so far.
    """
    pending = boundary.pending
    tool = boundary.tools.get(pending.tool)
    if tool is None:
        return None
    known = tool.input_schema.get("properties", {})
    unknown = [name for name in pending.arguments if name not in known]
    free = [name for name in known if name not in pending.arguments]
    if len(unknown) != 1 or not free:
        return None
    wrong = unknown[0]
    ranked = sorted(
        ((SequenceMatcher(None, wrong, name, autojunk=False).ratio(), name) for name in free),
        reverse=True,
    )
    if ranked[0][0] < _NEAR or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    module = ast.parse(rest_of_program(boundary, replace))
    alone = boundary.site.straight and len(proxy_calls(module.body[0], boundary.proxy)) == 1
    if not alone and any(not _reads(boundary, name) for name in _calls_of_block(boundary)):
        return None
    callee, found = f"{boundary.proxy}.{pending.tool}", False
    for call in proxy_calls(module, boundary.proxy):
        for keyword in call.keywords if ast.unparse(call.func) == callee else ():
            if keyword.arg == wrong:
                keyword.arg, found = ranked[0][1], True
    return Replace(ast.unparse(module)) if found else None


def _calls_of_block(boundary: Boundary) -> list[str]:
    """Return the tools that the running block has called so far."""
    found: list[str] = []
    for entry in reversed(boundary.history.entries):
        if entry["kind"] in {"reply", "result", "receipt"}:
            break
        if entry["kind"] == "call":
            found.append(entry["tool"])
    return found


def _reads(boundary: Boundary, name: str) -> bool:
    tool = boundary.tools.get(name)
    return tool is None or tool.read_only


def _unused(name: str, boundary: Boundary, body: list[ast.stmt]) -> str:
    """Return a name that the program does not use."""
    variables = boundary.variables
    taken = {*variables.module, *variables.block, *variables.unexposed}
    taken |= {node.id for root in body for node in ast.walk(root) if isinstance(node, ast.Name)}
    while name in taken:
        name += "_"
    return name
