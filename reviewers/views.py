"""A reviewer that is shown a view of the boundary, and the check of what the view hides."""

import json
from collections.abc import Iterator
from typing import Any

from controlscope.boundaries import Boundary, View
from controlscope.canonical import encode
from controlscope.operations import Scope
from controlscope.roles import EventLog, Review, Reviewer
from reviewers.record import public_record

__all__ = ["Viewed", "leaks"]

_PARTS = ("arguments", "observation", "content")
"""What a call, a result or a receipt of the record tells."""

_SHORTEST = 4
"""Shorter texts stand anywhere by chance."""


class Viewed:
    """Shows a reviewer one view of each boundary; what it decides acts on the whole one.

    Each review logs `view_shown`: how many texts the view hides, and which of them stand in the
    record that is shown all the same.
    """

    def __init__(self, reviewer: Reviewer, view: View, log: EventLog) -> None:
        self._reviewer = reviewer
        self._view: View = view
        self._log = log

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        """Ask about what the view shows."""
        shown = boundary.seen(self._view)
        hidden = hidden_texts(boundary) if self._view == "code_only" else set()
        leaked = leaks(boundary, public_record(shown, show_budget=False)) if hidden else []
        self._log.event(
            "view_shown",
            boundary=boundary.index,
            view=self._view,
            hidden=len(hidden),
            leaked=leaked,
        )
        return await self._reviewer.review(shown, scope)


def hidden_texts(boundary: Boundary) -> set[str]:
    """Return the texts that only feedback from the current reply brought: what it was told and
    printed, the pending arguments, the variables; without those that its code or what came before
    it holds too.
    """
    entries = boundary.history.entries
    last = max((n for n, entry in enumerate(entries) if entry["kind"] == "reply"), default=-1)
    tools = [[name, tool.description, tool.input_schema] for name, tool in boundary.tools.items()]
    open_parts = [
        boundary.goal,
        tools,
        list(entries[: last + 1]),
        [block.code for block in (boundary.block, *boundary.queued)],
        [block.id for block in (boundary.block, *boundary.queued)],
        boundary.pending.tool,
    ]
    known = "\n".join(_texts(open_parts))
    variables = boundary.variables
    feedback = [
        [[entry.get(part) for part in _PARTS] for entry in entries[last + 1 :]],
        boundary.printed,
        boundary.pending.arguments,
        [variables.block, variables.module, list(variables.unexposed)],
    ]
    return {
        text.strip()
        for text in _texts(feedback)
        if len(text.strip()) >= _SHORTEST and text.strip() not in known
    }


def leaks(boundary: Boundary, shown: str) -> list[str]:
    """Return the hidden texts of a boundary that stand in a text that is shown."""
    return sorted(
        text for text in hidden_texts(boundary) if text in shown or encode(text)[1:-1] in shown
    )


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value, keys and numbers too."""
    match value:
        case str():
            yield value
        case dict():
            for key, part in value.items():
                yield key
                yield from _texts(part)
        case list() | tuple():
            for part in value:
                yield from _texts(part)
        case int() | float() if not isinstance(value, bool):
            yield json.dumps(value)
