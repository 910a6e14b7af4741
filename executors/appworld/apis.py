"""AppWorld's APIs as tools, from the documentation that its data root holds."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from controlscope.canonical import JsonObject
from controlscope.tools import Tool

__all__ = ["tools_in"]

_LIST = re.compile(r"list\[(\w+)\]")
_BOUND = re.compile(r"(>=|<=|>|<) ([-+.\de]+)")
_BOUNDS = {
    "value": {
        ">=": "minimum",
        "<=": "maximum",
        ">": "exclusiveMinimum",
        "<": "exclusiveMaximum",
    },
    "length": {">=": "minLength", "<=": "maxLength"},
}
_CHOICE = re.compile(r"value in \[(.*)\]")
_QUOTED = re.compile(r"'([^']*)'")


@cache
def tools_in(root: Path) -> dict[str, Tool]:
    """Return every documented API of a data root as a tool, named `app.api`, in that order.

    One that only reads is a GET of the documentation. The engine itself ignores an argument that it
    does not know; a schema names those that it knows.
    """
    tools = {}
    for path in sorted((root / "data" / "api_docs" / "standard").glob("*.json")):
        for api, doc in sorted(json.loads(path.read_text(encoding="utf-8")).items()):
            name = f"{path.stem}.{api}"
            tools[name] = Tool(
                name,
                doc["description"],
                _schema(doc["parameters"]),
                read_only=doc["method"] == "GET",
                values=True,
            )
    return tools


def _schema(parameters: list[Any]) -> JsonObject:
    return {
        "type": "object",
        "properties": {parameter["name"]: _parameter(parameter) for parameter in parameters},
        "required": [parameter["name"] for parameter in parameters if parameter["required"]],
        "additionalProperties": False,
    }


def _parameter(parameter: JsonObject) -> JsonObject:
    schema: JsonObject = {"description": parameter["description"]}
    types: list[str] = []
    for name in parameter["type"].split(" | "):
        if of_list := _LIST.fullmatch(name):
            schema["items"] = {"type": of_list[1]}
        types.append("array" if of_list else name)
    if not parameter["required"]:
        schema["default"] = parameter["default"]
        types.append("null")
    schema["type"] = types if len(types) > 1 else types[0]
    for constraint in parameter["constraints"]:
        schema |= _constraint(constraint, optional=not parameter["required"])
    return schema


def _constraint(text: str, *, optional: bool) -> JsonObject:
    """Translate a constraint; one that no schema has, as that of an address, joins none."""
    if choice := _CHOICE.fullmatch(text):
        return {"enum": [*_QUOTED.findall(choice[1]), *([None] if optional else [])]}
    keywords = _BOUNDS.get(text.split(" ")[0], {})
    return {
        keywords[sign]: float(bound) if "e" in bound else int(float(bound))
        for sign, bound in _BOUND.findall(text)
        if sign in keywords
    }
