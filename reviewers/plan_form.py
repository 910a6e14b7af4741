"""How a planning model is asked for the next reply, and how its blocks are read from it."""

import json
from collections.abc import Mapping
from keyword import iskeyword
from typing import Any

from controlscope.boundaries import History
from controlscope.canonical import JsonObject, problem_of
from controlscope.tasks import Block, Reply
from controlscope.tools import Tool
from reviewers.response import Response, ToolCall
from reviewers.settings import function_tool

__all__ = ["CODE_TOOL", "direct_call", "messages", "native_tools", "read_plan"]

CODE_TOOL = "run_python"

_ROLE = """\
You reach a goal by writing Python code that calls tools. Return what is to be done as tool calls.

- {code_tool} runs a block of code. Several calls in one reply are queued and run in order; where \
a block fails, those after it are cancelled. All blocks share one module, whose variables last.
- In the code, {proxy}.NAME(argument=value) calls the tool NAME and returns its text; a failed \
call raises ToolError with the tool's message. Arguments are given by keyword.
- A tool may also be called directly, without code: that runs as a block that prints the text.
- The code can import the standard library to compute with. It reaches files, networks and \
processes only through the tools, and has no threads.
- You see what a block printed and its error, and nothing else: print what you need to know.
- When the goal is reached, and only then, reply without any tool call: that ends the work."""


def native_tools(tools: Mapping[str, Tool], proxy: str) -> list[JsonObject]:
    """Return the code tool and the primitive tools in the request's form."""
    code = {"type": "string", "description": f"Python code that calls tools as {proxy}.NAME(…)."}
    parameters = {"type": "object", "properties": {"code": code}, "required": ["code"]}
    return [
        function_tool(CODE_TOOL, "Run a block of Python code.", parameters),
        *(
            function_tool(name, tool.description, tool.input_schema)
            for name, tool in sorted(tools.items())
        ),
    ]


def messages(goal: str, history: History, proxy: str, *, show_decisions: bool) -> list[JsonObject]:
    """Write a history as chat messages: each block a call of the code tool, answered by its id.

    A direct call stands there as the code that it ran as. Calls inside blocks are not shown: a
    planner sees what a block printed.
    """
    role = _ROLE.format(code_tool=CODE_TOOL, proxy=proxy)
    chat: list[JsonObject] = [
        {"role": "system", "content": role},
        {"role": "user", "content": goal},
    ]
    decided: list[str] = []
    for entry in history.entries:
        match entry["kind"]:
            case "reply":
                calls = [_call(block) for block in entry["blocks"]]
                chat.append({"role": "assistant", "content": entry["text"], "tool_calls": calls})
            case "decision" if show_decisions:
                decided.append(f"A review during this block: {entry['realized']}.")
            case "result" | "receipt":
                content = "\n".join([*decided, entry["content"]])
                chat.append({"role": "tool", "tool_call_id": entry["block"], "content": content})
                decided = []
    return chat


def _call(block: JsonObject) -> JsonObject:
    arguments = json.dumps({"code": block["code"]})
    function = {"name": CODE_TOOL, "arguments": arguments}
    return {"id": block["id"], "type": "function", "function": function}


def read_plan(response: Response, number: int, tools: Mapping[str, Tool], proxy: str) -> Reply:
    """Return a response's blocks as reply `number`, from 1.

    Their ids follow from that number, so that equal replies make equal requests. A tool call that
    cannot be run is a block that says so when it runs: the planner sees it and can try again.
    """
    blocks = [
        Block(f"call_{number:02}_{place}", _code(call, response, tools, proxy))
        for place, call in enumerate(response.tool_calls, start=1)
    ]
    return Reply(tuple(blocks), response.text)


def _code(call: ToolCall, response: Response, tools: Mapping[str, Tool], proxy: str) -> str:
    if call.name != CODE_TOOL and call.name not in tools:
        return _complaint(f"there is no tool {call.name[:80]!r}")
    try:
        arguments: Any = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        cut = "; the reply was cut off at its token limit" if response.cut_off else ""
        return _complaint(f"the arguments of {call.name} are not JSON{cut}")
    if not isinstance(arguments, dict) or problem_of(arguments) is not None:
        return _complaint(f"the arguments of {call.name} are no JSON object")
    if call.name != CODE_TOOL:
        return direct_call(proxy, call.name, arguments)
    code = arguments.get("code")
    if not isinstance(code, str):
        return _complaint(f"{CODE_TOOL} needs its code, a text, as the argument `code`")
    return code


def direct_call(proxy: str, tool: str, arguments: JsonObject) -> str:
    """Write a direct tool call as a block, so that it is a boundary like any other."""
    # Python reads other names than these as their normal form.
    if all(name.isascii() and name.isidentifier() and not iskeyword(name) for name in arguments):
        given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    else:
        given = f"**{arguments!r}"
    return f"print({proxy}.{tool}({given}))"


def _complaint(problem: str) -> str:
    return f"raise ValueError({problem!r})"
