"""Rules for programs that act in a household, from what the engine's answers say.

An answer ends with a line of the commands that are admissible then; the rules read no more.
"""

import ast
import re
from difflib import SequenceMatcher

from controlscope.boundaries import Boundary
from controlscope.canonical import JsonObject
from controlscope.continuations import proxy_calls
from controlscope.operations import PatchArguments, Replace, ReplaceBoundary
from reviewers.heuristic.known import known
from reviewers.heuristic.loops import loop_here
from reviewers.heuristic.rest import place_of, rest_from_here
from reviewers.rest import rest_of_program

__all__ = ["ACT", "nearest_command", "right_appliance", "wider_search"]

ACT = "act"
"""The proxy of a household, and its one tool."""

_ADMISSIBLE = re.compile(r"^Admissible: (.+)\Z", re.M)
_APPLIANCES = {"clean": "sinkbasin", "cool": "fridge", "heat": "microwave"}
_GO = "go to "
_NEAR = 0.8
"""The least likeness (difflib's ratio) of a command to what it is patched to."""


def nearest_command(boundary: Boundary) -> PatchArguments | None:
    """Patch a command that is not admissible to the nearest one that is.

    Their verbs are the same (`put … in` is the engine's `move … to`), and one candidate must be
    nearer than all others. Going to where one stands is left alone: it harms nothing.
    """
    written, choices = _command(boundary), _admissible(boundary)
    if written is None or not choices or written in choices:
        return None
    written = re.sub(r"^put (.+) (?:in/on|into|in|on) ", r"move \1 to ", written)
    verb = written.partition(" ")[0]
    if f"examine {written.removeprefix('go to ')}" in choices:
        return None
    ranked = sorted(
        (
            (SequenceMatcher(None, written, choice, autojunk=False).ratio(), choice)
            for choice in choices
            if choice.partition(" ")[0] == verb
        ),
        reverse=True,
    )
    if not ranked or ranked[0][0] < _NEAR:
        return None
    if len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
        return None
    return PatchArguments({"command": ranked[0][1]})


def right_appliance(boundary: Boundary, replace: ReplaceBoundary) -> Replace | None:
    """Replace heating, cooling or cleaning at what cannot do it: go to what can, then go on.

    The pending call is a straight statement's only one, its command is a text that nothing is
    called for, and just one appliance of the right kind can be gone to; else the program goes on
    unchanged.
    """
    written, choices = _command(boundary), _admissible(boundary)
    if written is None or not boundary.site.straight:
        return None
    verb, _, objects = written.partition(" ")
    thing, _, _ = objects.partition(" with ")
    if verb not in _APPLIANCES or any(choice.startswith(f"{verb} ") for choice in choices):
        return None
    way = [choice for choice in choices if choice.startswith(f"go to {_APPLIANCES[verb]} ")]
    body = ast.parse(rest_of_program(boundary, replace)).body
    calls = proxy_calls(body[0], ACT)
    if len(way) != 1 or len(calls) != 1:
        return None
    values = [*calls[0].args, *(keyword.value for keyword in calls[0].keywords)]
    if len(values) != 1 or not known(boundary).pure(values[0]):
        return None
    calls[0].args = [ast.Constant(f"{verb} {thing} with {way[0].removeprefix(_GO)}")]
    calls[0].keywords = []
    first = ast.parse(f"{ACT}({way[0]!r})").body
    return Replace(ast.unparse(ast.Module([*first, *body], [])))


def wider_search(boundary: Boundary, replace: ReplaceBoundary) -> Replace | None:
    """Replace a search that has come to the last place of its list: it goes on to all others.

    The search is a module-level loop over a named list of places, which it goes to one by one, and
    which it leaves by `break`; what is added are the places that can be gone to and that no call of
    this run has gone to. The rest of the program stays as it is.
    """
    written, choices = _command(boundary), _admissible(boundary)
    at = place_of(boundary)
    if written is None or not written.startswith(_GO) or at is None:
        return None
    bindings = known(boundary)
    loop = loop_here(at.rest[0], at.call, boundary, bindings)
    rest = rest_from_here(boundary, bindings, replace)
    if loop is None or rest is None or loop.index != loop.length - 1:
        return None
    if not isinstance(loop.statement.iter, ast.Name):
        return None
    last = boundary.variables.module[loop.list_name][loop.index]
    visited = {written, *(entry["arguments"].get("command") for entry in _calls(boundary))}
    others = [
        choice.removeprefix(_GO)
        for choice in choices
        if choice.startswith(_GO) and choice not in visited
    ]
    if not others or written != f"{_GO}{last}" or not _leaves(loop.statement):
        return None
    wider = ast.For(
        loop.statement.target,
        ast.List([ast.Constant(place) for place in (last, *others)], ast.Load()),
        loop.statement.body,
        loop.statement.orelse,
    )
    return Replace(ast.unparse(ast.fix_missing_locations(ast.Module([wider, *rest[1:]], []))))


def _leaves(loop: ast.For) -> bool:
    """Tell whether a loop can end before its list does."""
    return any(isinstance(node, ast.Break) for part in loop.body for node in ast.walk(part))


def _command(boundary: Boundary) -> str | None:
    command = boundary.pending.arguments.get("command")
    if boundary.pending.tool != ACT or not isinstance(command, str):
        return None
    return command.strip().lower()


def _admissible(boundary: Boundary) -> tuple[str, ...]:
    """Return the commands that the last completed call named; none before the first one."""
    calls = _calls(boundary)
    found = _ADMISSIBLE.search(calls[-1]["observation"]) if calls else None
    return tuple(found[1].split("; ")) if found else ()


def _calls(boundary: Boundary) -> list[JsonObject]:
    return [entry for entry in boundary.history.entries if entry["kind"] == "call"]
