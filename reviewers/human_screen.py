"""A boundary and a proposed change as a person sees them in a terminal.

Everything that programs, tools and planners wrote is data: characters that a terminal would obey
or hide are shown as escapes, in reverse.
"""

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from unicodedata import category

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from controlscope.boundaries import Boundary
from controlscope.canonical import JsonObject
from controlscope.continuations import callee_of
from controlscope.operations import (
    EditParameters,
    Operation,
    PatchArguments,
    Replace,
    ReplaceBoundary,
    Scope,
)
from reviewers.rest import rest_of_program, site_arguments

__all__ = ["boundary_screen", "difference", "is_hidden", "key_line", "marked", "visible"]

_HIDDEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
_ROWS = 8
"""Most rows of one text where not everything is shown."""

_CHARACTERS = 20_000
"""Most characters of a text that are laid out where not everything is shown."""

_AROUND = 6
"""Lines of code shown before and after the pending call."""

_CALLS = 3


def is_hidden(char: str) -> bool:
    """Tell whether a terminal would obey or hide a character; a line's end it may have."""
    return char != "\n" and category(char) in _HIDDEN


def visible(text: str) -> Text:
    """Return a text as it can be shown: control, format and unassigned characters as escapes."""
    shown = Text()
    for hidden, run in groupby(text, is_hidden):
        part = "".join(run)
        if hidden:
            shown.append(part.encode("unicode_escape").decode("ascii"), "reverse")
        else:
            shown.append(part)
    return shown


def boundary_screen(
    boundary: Boundary, scope: Scope, replace: ReplaceBoundary, *, whole: bool
) -> RenderableType:
    """Return a pause as a screen; `whole` shortens nothing. What is decided about stands last."""
    return Group(
        Rule(
            f"boundary {boundary.index}, scope {scope}, left: {boundary.remaining}",
            style="bold",
        ),
        *_section("Goal", _Rows(boundary.goal, whole)),
        *_section("Last calls", *_calls(boundary, whole)),
        *_section("Variables", *_variables(boundary, whole)),
        *_section(
            "Printed", *([_Rows(boundary.printed, whole, end=True)] * bool(boundary.printed))
        ),
        *_section(f"Code of {boundary.block.id}", *_code(boundary, scope, replace, whole)),
        *_section(
            f"Pending call: {callee_of(boundary.proxy, boundary.pending.tool)}",
            *(
                _argument(name, value, whole)
                for name, value in sorted(boundary.pending.arguments.items())
            ),
        ),
    )


def difference(
    operation: Operation, boundary: Boundary, replace: ReplaceBoundary
) -> RenderableType:
    """Return what an operation would change, as a diff of each argument or of the program."""
    match operation:
        case PatchArguments(arguments):
            title = f"change of {boundary.pending.tool}, not applied yet"
            old = boundary.pending.arguments
            parts = [
                part
                for name, value in sorted(arguments.items())
                for part in _section(name, *_changed_argument(name, value, old))
            ]
        case EditParameters(overrides):
            title = f"change of calls in the rest of {boundary.block.id}, not applied yet"
            known = site_arguments(boundary)
            parts = [
                part
                for site, arguments in overrides.items()
                for name, value in sorted(arguments.items())
                for part in _section(
                    f"{name} of {site.tool}, line {site.line}",
                    *_changed_argument(name, value, known.get(site, {})),
                )
            ]
        case Replace(code):
            queued = len(boundary.queued) if replace == "reply" else 0
            title = f"change of the rest of {boundary.block.id}"
            title += f" and of {queued} queued, not applied yet" if queued else ", not applied yet"
            before = rest_of_program(boundary, replace).split("\n")
            parts = list(_diff(before, code.split("\n")))
        case _:
            raise AssertionError(operation)
    return Group(Rule(title, style="bold"), *parts)


def marked(text: str, first: int, last: int, *, whole: bool) -> RenderableType:
    """Return numbered lines with an arrow at `first` to `last` (from 1), and what is around."""
    # As Python counts lines, so that the arrow stands where its parser means.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not lines[-1] and last < len(lines):
        lines.pop()
    start, end = (1, len(lines)) if whole else (first - _AROUND, last + _AROUND)
    table = Table.grid(padding=(0, 1))
    table.add_column(width=1, style="bold yellow")
    table.add_column(justify="right", style="dim")
    table.add_column(overflow="fold")
    for number, line in enumerate(lines, 1):
        if start <= number <= end:
            here = first <= number <= last
            shown = visible(line)
            shown.stylize("bold" if here else "")
            table.add_row("▶" if here else "", str(number), shown)
    return table


def key_line(keys: dict[str, str]) -> Text:
    """Return one line that says what each key does."""
    shown = Text("\n")
    for key, meaning in keys.items():
        shown.append(f" {key} ", "reverse").append(f" {meaning}  ")
    return shown


@dataclass(frozen=True)
class _Rows:
    """A text, wrapped; where it is not shown whole, its first rows (or those at its end)."""

    text: str
    whole: bool
    end: bool = False
    most: int = _ROWS

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = self.text.rstrip("\n")
        part = text[-_CHARACTERS:] if self.end else text[:_CHARACTERS]
        shown = visible(text if self.whole else part)
        rows = list(shown.wrap(console, options.max_width, overflow="fold"))
        if self.whole or (len(rows) <= self.most and part == text):
            yield from rows
            return
        more = Text("… more", "dim")
        kept = rows[-self.most :] if self.end else rows[: self.most]
        yield from [more, *kept] if self.end else [*kept, more]


def _section(title: str, *parts: RenderableType) -> Iterator[RenderableType]:
    heading = visible(title)
    heading.stylize("bold cyan")
    if not parts:
        heading.append("  none", "dim")
    yield heading
    for part in parts:
        yield Padding(part, (0, 0, 0, 2))


def _calls(boundary: Boundary, whole: bool) -> Iterator[RenderableType]:
    calls = [entry for entry in boundary.history.entries if entry["kind"] == "call"]
    for entry in calls if whole else calls[-_CALLS:]:
        call = f"{callee_of(boundary.proxy, entry['tool'])} {_json(entry['arguments'])}"
        arrow = "→ error: " if entry["is_error"] else "→ "
        if whole:
            yield from (_Rows(call, whole), _Rows(arrow + entry["observation"], whole))
        else:
            yield from (_line(call), _line(f"  {arrow}{' '.join(entry['observation'].split())}"))


def _variables(boundary: Boundary, whole: bool) -> Iterator[RenderableType]:
    variables = boundary.variables
    for name, value in {**variables.module, **variables.block}.items():
        text = f"{name} = {_json(value)}"
        yield _Rows(text, whole) if whole else _line(text)
    if variables.unexposed:
        yield _line(f"without a JSON form: {', '.join(variables.unexposed)}")


def _code(
    boundary: Boundary, scope: Scope, replace: ReplaceBoundary, whole: bool
) -> Iterator[RenderableType]:
    position = boundary.pending.position
    yield marked(boundary.block.code, position.line, position.end_line, whole=whole)
    for block in boundary.queued:
        if whole:
            yield from (Text(f"then {block.id}:", "dim"), _Rows(block.code, whole))
        else:
            yield Text(f"then {block.id}, lines: {len(block.code.splitlines())}", "dim")
    if scope == "full" and not boundary.site.straight:
        yield Text(
            "The call is inside a statement that may have run in part; a replacement is "
            "offered from that statement's start.",
            "yellow",
        )


def _argument(name: str, value: Any, whole: bool) -> RenderableType:
    """Show an argument; a text of several lines as it is."""
    if isinstance(value, str) and "\n" in value:
        return Group(Text(f"{name}:"), Padding(_Rows(value, whole), (0, 0, 0, 2)))
    return _Rows(f"{name}: {_json(value)}", whole)


def _changed_argument(name: str, value: Any, old: JsonObject) -> Iterator[Text]:
    texts = isinstance(value, str) and isinstance(old.get(name, ""), str)

    def lines(shown: Any) -> list[str]:
        text: str = shown if texts else json.dumps(shown, indent=2, ensure_ascii=False)
        return text.split("\n")

    yield from _diff(lines(old[name]) if name in old else [], lines(value))


def _diff(before: list[str], after: list[str]) -> Iterator[Text]:
    styles = {"+": "green", "-": "red", "@": "cyan"}
    _, _, *lines = difflib.unified_diff(before, after, lineterm="") or ["", ""]
    for line in lines:
        shown = visible(line)
        shown.stylize(styles.get(line[0], ""))
        yield shown


def _line(text: str) -> Text:
    shown = visible(text[:_CHARACTERS])
    shown.no_wrap, shown.overflow = True, "ellipsis"
    return shown


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
