"""Argument overrides: what the coordinated edit of a block's data arguments sets, by call site."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from controlscope.canonical import JsonObject
from controlscope.continuations import CallSite

__all__ = ["Overrides", "merged", "overrides_json", "parse_overrides"]

Overrides: TypeAlias = Mapping[CallSite, JsonObject]
"""Keyword arguments to set at each call that a site of the block makes; the others stay."""

_KEYS = {"tool", "line", "column", "arguments"}


def parse_overrides(entries: list[Any]) -> dict[CallSite, JsonObject]:
    """Read `[{"tool", "line", "column", "arguments"}, …]`; ValueError says what is wrong."""
    found: dict[CallSite, JsonObject] = {}
    for number, entry in enumerate(entries):
        match entry:
            case {
                "tool": str(tool),
                "line": int(line),
                "column": int(column),
                "arguments": dict(arguments),
            } if set(entry) == _KEYS and type(line) is type(column) is int:
                site = CallSite(tool, line, column)
            case _:
                raise ValueError(f"override {number} is not of {', '.join(sorted(_KEYS))}")
        if site in found:
            raise ValueError(f"override {number} names line {line}, column {column} again")
        found[site] = arguments
    return found


def overrides_json(overrides: Overrides) -> list[JsonObject]:
    """Return the form that `parse_overrides` reads, in the order of the block's text."""
    return [
        {"tool": site.tool, "line": site.line, "column": site.column, "arguments": arguments}
        for site, arguments in sorted(
            overrides.items(), key=lambda item: (item[0].line, item[0].column, item[0].tool)
        )
    ]


def merged(overrides: Overrides, later: Overrides) -> dict[CallSite, JsonObject]:
    """Add later overrides: of one argument of one site the later value holds."""
    return {
        site: {**overrides.get(site, {}), **later.get(site, {})} for site in {**overrides, **later}
    }
