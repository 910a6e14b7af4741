"""The reviewer that asks the person at the terminal."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controlscope.boundaries import Boundary
from controlscope.budgets import Contract
from controlscope.canonical import JsonObject, encode, problem_of
from controlscope.continuations import parse_block
from controlscope.errors import RejectedError
from controlscope.operations import (
    EditParameters,
    Keep,
    Operation,
    PatchArguments,
    Replace,
    ReplaceBoundary,
    Scope,
    permitted,
    realize,
)
from controlscope.parameters import overrides_json, parse_overrides
from controlscope.roles import Review
from reviewers.human_screen import (
    boundary_screen,
    difference,
    is_hidden,
    key_line,
    marked,
    visible,
)
from reviewers.rest import rest_of_program, site_arguments
from reviewers.terminal import EditorError, Terminal, open_terminal

__all__ = ["Human"]

_AGAIN = {"e": "edit again", "n": "go back"}
_APPLY = {"y": "apply", **_AGAIN}


class _UnfitError(Exception):
    """What the editor left is no operation; `line` is where, from 1, if a line is to blame."""

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(why)
        self.line = line


@dataclass(frozen=True)
class _Draft:
    """A text for the editor, the name of its file, and how what comes back is read."""

    name: str
    text: str
    read: Callable[[str, Boundary], Operation]


class Human:
    """Shows each boundary on the terminal and takes the person's decision.

    `replace` is the run's replacement boundary. InputError where there is no terminal.
    """

    def __init__(self, replace: ReplaceBoundary = "reply") -> None:
        self._replace: ReplaceBoundary = replace
        self._has_quit = False
        with open_terminal():
            pass  # Before anything starts, rather than at the first boundary.

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        """Ask; the keys offered are those that the scope permits.

        ReviewServiceError where the terminal is gone.
        """
        if self._has_quit:
            return Review(Keep(), "the person has quit reviewing")
        with open_terminal() as terminal:
            return await self._decide(terminal, boundary, scope)

    async def _decide(self, terminal: Terminal, boundary: Boundary, scope: Scope) -> Review:
        keys = _keys(scope, boundary.contract)
        whole = False
        while True:
            terminal.show(boundary_screen(boundary, scope, self._replace, whole=whole))
            match await terminal.key(key_line(keys), keys):
                case "k":
                    return Review(Keep())
                case "q":
                    self._has_quit = True
                    return Review(Keep(), "the person has quit reviewing")
                case "a":
                    whole = True
                    continue
                case "p":
                    draft = _Draft("arguments.json", _editable(boundary.pending.arguments), _patch)
                case "c":
                    draft = _Draft("calls.json", _editable(_calls(boundary)), _edit)
                case _:
                    rest = rest_of_program(boundary, self._replace)
                    draft = _Draft("rest.py", _encodable(rest), _replacement)
            operation = await self._change(terminal, boundary, scope, draft)
            if operation is not None:
                return Review(operation)

    async def _change(
        self, terminal: Terminal, boundary: Boundary, scope: Scope, draft: _Draft
    ) -> Operation | None:
        """Let the person edit until a change is applied, or None where it is given up."""
        edited = draft.text
        while True:
            try:
                edited = await terminal.edit(draft.name, edited)
                if edited == draft.text:
                    return None
                operation = self._checked(draft.read(edited, boundary), boundary, scope)
            except (_UnfitError, EditorError) as error:
                if isinstance(error, _UnfitError) and error.line is not None:
                    terminal.show(marked(edited, error.line, error.line, whole=False))
                problem = visible(str(error))
                problem.stylize("red")
                terminal.show(problem)
                answer = await terminal.key(key_line(_AGAIN), _AGAIN)
            else:
                terminal.show(difference(operation, boundary, self._replace))
                answer = await terminal.key(key_line(_APPLY), _APPLY)
            if answer == "y":
                return operation
            if answer == "n":
                return None

    def _checked(self, operation: Operation, boundary: Boundary, scope: Scope) -> Operation:
        try:
            realized = realize(operation, boundary, scope, self._replace)
        except RejectedError as error:
            raise _UnfitError(str(error)) from None
        if realized == "no_op":
            raise _UnfitError("this would change nothing")
        return operation


def _keys(scope: Scope, contract: Contract | None) -> dict[str, str]:
    kinds = permitted(scope, contract)
    offered = {"p": PatchArguments, "c": EditParameters, "r": Replace}
    words = {"p": "patch", "c": "calls", "r": "replace"}
    keys = {key: words[key] for key, kind in offered.items() if kind in kinds}
    return {"k": "keep", **keys, "a": "show all", "q": "quit reviewing"}


def _calls(boundary: Boundary) -> list[JsonObject]:
    return overrides_json(site_arguments(boundary))


def _editable(value: Any) -> str:
    """Write a value as JSON; what an editor may hide or cannot hold stands as an escape."""
    text = json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)
    escaped = (json.dumps(char)[1:-1] if is_hidden(char) else char for char in text)
    return "".join(escaped) + "\n"


def _encodable(code: str) -> str:
    """Write lone surrogates, which a queued block that does not parse may hold, as escapes."""
    return code.encode("utf-8", "backslashreplace").decode("utf-8")


def _patch(edited: str, boundary: Boundary) -> Operation:
    """Read the edited arguments; only those that are new or other than before are the patch."""
    arguments = _read(edited)
    if not isinstance(arguments, dict):
        raise _UnfitError("the arguments must be a JSON object")
    return PatchArguments(_changed(arguments, boundary.pending.arguments))


def _edit(edited: str, boundary: Boundary) -> Operation:
    """Read the edited calls; only the arguments that are new or other than before are the edit."""
    entries = _read(edited)
    if not isinstance(entries, list):
        raise _UnfitError("the calls must be a JSON list")
    try:
        found = parse_overrides(entries)
    except ValueError as error:
        raise _UnfitError(str(error)) from None
    known = site_arguments(boundary)
    changes = {site: _changed(arguments, known.get(site, {})) for site, arguments in found.items()}
    return EditParameters({site: arguments for site, arguments in changes.items() if arguments})


def _read(edited: str) -> Any:
    """Read what the editor left as JSON that can be sent."""
    try:
        value = json.loads(edited)
    except json.JSONDecodeError as error:
        raise _UnfitError(f"this is not valid JSON: {error}", error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise _UnfitError(f"this is not valid JSON: {error}") from None
    problem = problem_of(value)
    if problem is not None:
        raise _UnfitError(f"the arguments cannot be sent: {problem}")
    return value


def _changed(arguments: JsonObject, old: JsonObject) -> JsonObject:
    gone = sorted(set(old) - set(arguments))
    if gone:
        raise _UnfitError(f"a patch changes or adds arguments and takes none away: {gone[0]}")
    return {
        name: value
        for name, value in arguments.items()
        if name not in old or encode(value) != encode(old[name])
    }


def _replacement(edited: str, boundary: Boundary) -> Operation:
    try:
        parse_block(edited)
    except SyntaxError as error:
        raise _UnfitError(f"this does not parse: {error}", error.lineno) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise _UnfitError(f"this does not parse: {error}") from None
    return Replace(edited)
