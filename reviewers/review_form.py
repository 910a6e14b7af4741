"""How a review is asked of a model, and how its one operation is read from the reply."""

import json
from typing import Any

from controlscope.budgets import Contract
from controlscope.canonical import JsonObject
from controlscope.errors import InvalidReviewError
from controlscope.operations import (
    EditParameters,
    Keep,
    Operation,
    PatchArguments,
    Replace,
    ReplaceBoundary,
    Scope,
    parse_operation,
    permitted,
)
from reviewers.record import DATA_RULE
from reviewers.response import Response
from reviewers.settings import function_tool

__all__ = ["BY_SCHEMA", "BY_TOOL", "read_schema_reply", "read_tool_reply", "reply_schema", "tools"]

_ROLE = f"""\
You review a program while it runs. It was written to reach a goal with tools, and it pauses \
before a call of one. You see the public record of the run and decide what happens from here. \
When the program's reply is done, its planner sees what it printed and can write more code, \
whatever you decide. Let the program go on as it is unless the record shows that something else \
serves the goal better.

{DATA_RULE}"""

BY_TOOL = (
    f"{_ROLE}\n\nReturn your decision as a tool call: call exactly one of the tools that you are "
    "given, exactly once. A reply without a tool call, or with several, is no decision."
)
BY_SCHEMA = (
    f"{_ROLE}\n\nReturn your decision as one JSON object of the given schema and nothing else: "
    "first the problem that you see, in a few words, then one operation."
)

_PROBLEM = {
    "type": "string",
    "maxLength": 600,
    "description": "The problem that the record shows, in a few words; empty where there is none.",
}
_ARGUMENTS = {
    "type": "object",
    "description": "The arguments to set, by name; the others stay as they are.",
}

_KEEP = "Let the pending call and the rest of the program go on unchanged."
_PATCH = (
    "Change data arguments of the pending call alone. They are merged into its keyword arguments; "
    "its tool and the program stay."
)
_EDIT = (
    "Set data arguments at calls that the rest of the running block may still make, the pending "
    "one among them. A call is named by its tool, line and column as the record lists them. Its "
    "arguments are merged into its keyword arguments each time that it is made; tools and control "
    "flow stay."
)
_CANCELLED = {
    "block": "the pending call and the rest of the running block; queued blocks still run",
    "reply": "the pending call, the rest of the running block and all queued blocks",
}
_WORDS = {
    "keep": "keep",
    "patch_arguments": "patch",
    "edit_parameters": "parameters",
    "replace_continuation": "replace",
}
_KINDS = {
    "keep": Keep,
    "patch_arguments": PatchArguments,
    "edit_parameters": EditParameters,
    "replace_continuation": Replace,
}


def _object(properties: JsonObject) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_OVERRIDES = {
    "type": "array",
    "maxItems": 50,
    "items": _object(
        {
            "tool": {"type": "string", "maxLength": 200},
            "line": {"type": "integer"},
            "column": {"type": "integer"},
            "arguments": _ARGUMENTS,
        }
    ),
}


def _offered(scope: Scope, contract: Contract | None) -> list[str]:
    return [name for name, kind in _KINDS.items() if kind in permitted(scope, contract)]


def _described(replace: ReplaceBoundary) -> dict[str, tuple[str, JsonObject]]:
    """Return what each operation means, and the schemas of what it needs."""
    instead = (
        f"Cancel {_CANCELLED[replace]}. Run this Python code in their place, in the same module: "
        "its variables are still there. The pending call is not made unless the code makes it."
    )
    code = {"type": "string", "maxLength": 20_000, "description": "The whole code that runs."}
    return {
        "keep": (_KEEP, {}),
        "patch_arguments": (_PATCH, {"arguments": _ARGUMENTS}),
        "edit_parameters": (_EDIT, {"overrides": _OVERRIDES}),
        "replace_continuation": (instead, {"code": code}),
    }


def tools(
    scope: Scope, replace: ReplaceBoundary, contract: Contract | None = None
) -> list[JsonObject]:
    """Return the native tools of a scope: all that differs between the scopes of one boundary."""
    described = _described(replace)
    return [
        function_tool(
            name, described[name][0], _object({"problem": _PROBLEM, **described[name][1]})
        )
        for name in _offered(scope, contract)
    ]


def reply_schema(
    scope: Scope, replace: ReplaceBoundary, contract: Contract | None = None
) -> JsonObject:
    """Return the schema of a whole reply, `problem` before `operation`; its strings are bounded."""
    described = _described(replace)
    operations = [
        _operation_schema(_WORDS[name], *described[name]) for name in _offered(scope, contract)
    ]
    return _object({"problem": _PROBLEM, "operation": {"anyOf": operations}})


def _operation_schema(word: str, description: str, needs: JsonObject) -> JsonObject:
    return {"description": description, **_object({"operation": {"const": word}, **needs})}


def read_tool_reply(response: Response) -> tuple[Operation, str]:
    """Read the operation and the problem it names from a reply's single tool call.

    An operation that was not offered is one all the same: the scope refuses it.
    InvalidReviewError, without usage, where there is no single operation.
    """
    _whole(response)
    if len(response.tool_calls) != 1:
        raise InvalidReviewError(f"{len(response.tool_calls)} tool calls in place of one")
    call = response.tool_calls[0]
    if call.name not in _WORDS:
        raise InvalidReviewError(f"no operation is named {call.name[:80]!r}")
    # A call of a tool without required values may come without any text.
    arguments = _parsed(call.arguments or "{}", "the tool call's arguments")
    return _operation({**arguments, "operation": _WORDS[call.name]}, arguments)


def read_schema_reply(response: Response) -> tuple[Operation, str]:
    """Read the operation and the problem from a reply that is one JSON object.

    InvalidReviewError, without usage, where it is none.
    """
    _whole(response)
    reply = _parsed(response.text, "the reply")
    operation = reply.get("operation")
    if not isinstance(operation, dict):
        raise InvalidReviewError("the reply holds no operation")
    return _operation(operation, reply)


def _whole(response: Response) -> None:
    if response.cut_off:
        raise InvalidReviewError("the reply was cut off at its token limit")


def _operation(document: JsonObject, reply: JsonObject) -> tuple[Operation, str]:
    problem = reply.get("problem")
    bare = {name: value for name, value in document.items() if name != "problem"}
    return parse_operation(bare), problem if isinstance(problem, str) else ""


def _parsed(text: str, what: str) -> JsonObject:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidReviewError(f"{what}: not JSON") from None
    if not isinstance(value, dict):
        raise InvalidReviewError(f"{what}: no JSON object")
    return value
