"""The reviewer that asks the person at the terminal."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from controlscope.boundaries import Boundary
from controlscope.canonical import encode, problem_of
from controlscope.continuations import parse_block
from controlscope.errors import RejectedError
from controlscope.operations import (
    PERMITTED,
    Keep,
    Operation,
    PatchArguments,
    Replace,
    ReplaceBoundary,
    Scope,
    realize,
)
from controlscope.roles import Review
from reviewers.human_screen import (
    boundary_screen,
    difference,
    is_hidden,
    key_line,
    marked,
    visible,
)
from reviewers.rest import rest_of_program
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
        keys = _keys(scope)
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
                    draft = _Draft("arguments.json", _editable(boundary), _patch)
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


def _keys(scope: Scope) -> dict[str, str]:
    keys = {"k": "keep"}
    if PatchArguments in PERMITTED[scope]:
        keys["p"] = "patch"
    if Replace in PERMITTED[scope]:
        keys["r"] = "replace"
    return {**keys, "a": "show all", "q": "quit reviewing"}


def _editable(boundary: Boundary) -> str:
    """Write the arguments as JSON; what an editor may hide or cannot hold stands as an escape."""
    text = json.dumps(boundary.pending.arguments, indent=2, ensure_ascii=False, sort_keys=True)
    escaped = (json.dumps(char)[1:-1] if is_hidden(char) else char for char in text)
    return "".join(escaped) + "\n"


def _encodable(code: str) -> str:
    """Write lone surrogates, which a queued block that does not parse may hold, as escapes."""
    return code.encode("utf-8", "backslashreplace").decode("utf-8")


def _patch(edited: str, boundary: Boundary) -> Operation:
    """Read the edited arguments; only those that are new or other than before are the patch."""
    try:
        arguments = json.loads(edited)
    except json.JSONDecodeError as error:
        raise _UnfitError(f"this is not valid JSON: {error}", error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise _UnfitError(f"this is not valid JSON: {error}") from None
    if not isinstance(arguments, dict):
        raise _UnfitError("the arguments must be a JSON object")
    problem = problem_of(arguments)
    if problem is not None:
        raise _UnfitError(f"the arguments cannot be sent: {problem}")
    old = boundary.pending.arguments
    gone = sorted(set(old) - set(arguments))
    if gone:
        raise _UnfitError(f"a patch changes or adds arguments and takes none away: {gone[0]}")
    return PatchArguments(
        {
            name: value
            for name, value in arguments.items()
            if name not in old or encode(value) != encode(old[name])
        }
    )


def _replacement(edited: str, boundary: Boundary) -> Operation:
    try:
        parse_block(edited)
    except SyntaxError as error:
        raise _UnfitError(f"this does not parse: {error}", error.lineno) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise _UnfitError(f"this does not parse: {error}") from None
    return Replace(edited)
