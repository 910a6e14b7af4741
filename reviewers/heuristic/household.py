"""Rules for programs that act in a household, from what the engine's answers say.

An answer ends with a line of the commands that are admissible then; the rules read no more.
"""

import ast
import re
from difflib import SequenceMatcher

from controlscope.boundaries import Boundary
from controlscope.continuations import proxy_calls
from controlscope.operations import PatchArguments, Replace, ReplaceBoundary
from reviewers.rest import rest_of_program

__all__ = ["ACT", "nearest_command", "right_appliance"]

ACT = "act"
"""The proxy of a household, and its one tool."""

_ADMISSIBLE = re.compile(r"^Admissible: (.+)\Z", re.M)
_APPLIANCES = {"clean": "sinkbasin", "cool": "fridge", "heat": "microwave"}
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

    The pending call is a straight statement's only one, its command is written out, and just one
    appliance of the right kind can be gone to; else the program goes on unchanged.
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
    if len(values) != 1 or not isinstance(values[0], ast.Constant):
        return None
    values[0].value = f"{verb} {thing} with {way[0].removeprefix('go to ')}"
    first = ast.parse(f"{ACT}({way[0]!r})").body
    return Replace(ast.unparse(ast.Module([*first, *body], [])))


def _command(boundary: Boundary) -> str | None:
    command = boundary.pending.arguments.get("command")
    if boundary.pending.tool != ACT or not isinstance(command, str):
        return None
    return command.strip().lower()


def _admissible(boundary: Boundary) -> tuple[str, ...]:
    """Return the commands that the last completed call named; none before the first one."""
    calls = [entry for entry in boundary.history.entries if entry["kind"] == "call"]
    found = _ADMISSIBLE.search(calls[-1]["observation"]) if calls else None
    return tuple(found[1].split("; ")) if found else ()
