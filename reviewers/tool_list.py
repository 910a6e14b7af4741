"""How tools are told to a model: as functions of a request, by their schemas or by signatures."""

import re
from collections.abc import Mapping

from controlscope.canonical import encode
from controlscope.continuations import callee_of
from controlscope.tools import Tool

__all__ = ["answer_of", "are_functions", "called_as", "listed_tools"]

_MOST_FUNCTIONS = 128
"""Providers take no more functions in a request."""

_FUNCTION_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def are_functions(tools: Mapping[str, Tool]) -> bool:
    """Tell whether a request may offer the tools as functions of its own."""
    return len(tools) <= _MOST_FUNCTIONS and all(map(_FUNCTION_NAME.fullmatch, tools))


def called_as(tools: Mapping[str, Tool], proxy: str) -> str:
    """Say how a program writes any of the tools: NAME is a tool's name, where it has several."""
    return callee_of(proxy, proxy if set(tools) == {proxy} else "NAME")


def answer_of(tools: Mapping[str, Tool]) -> str:
    """Say what a program gets from a call."""
    values = any(tool.values for tool in tools.values())
    return "answer, as a value where it is JSON," if values else "text"


def listed_tools(tools: Mapping[str, Tool]) -> str:
    """Return a paragraph a tool, by name: its schema or, of very many tools, its signature."""
    if len(tools) > _MOST_FUNCTIONS:
        return "\n".join(f"- {_signature(tool)}: {tool.description}" for tool in _sorted(tools))
    return "\n".join(
        f"- {tool.name}{_programs(tool)}: {tool.description}\n  {encode(tool.input_schema)}"
        for tool in _sorted(tools)
    )


def _sorted(tools: Mapping[str, Tool]) -> list[Tool]:
    return [tools[name] for name in sorted(tools)]


def _programs(tool: Tool) -> str:
    names = ", ".join(sorted(tool.program_parameters))
    return f" (no data arguments: {names})" if names else ""


def _signature(tool: Tool) -> str:
    """Write a tool as a call of it, its optional arguments with their defaults."""
    required = set(tool.input_schema.get("required", ()))
    arguments = [
        name if name in required else f"{name}={schema.get('default')!r}"
        for name, schema in tool.input_schema.get("properties", {}).items()
    ]
    return f"{tool.name}({', '.join(arguments)}){_programs(tool)}"
