"""How a planning model is asked for the next reply, and how its blocks are read from it."""

import json
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from typing import Any

from controlscope.boundaries import History
from controlscope.canonical import JsonObject, problem_of
from controlscope.continuations import callee_of
from controlscope.tasks import Block, Reply
from controlscope.tools import Tool
from reviewers.record import as_data
from reviewers.response import Response, ToolCall
from reviewers.settings import ModelSettings, chat_request, function_tool
from reviewers.tool_list import answer_of, are_functions, called_as, listed_tools

__all__ = ["CODE_TOOL", "direct_call", "plan_request", "read_plan"]

CODE_TOOL = "run_python"

_CODE = """\
All blocks share one module, whose variables last.
- In the code, {called}(argument=value) calls the tool {name} and returns its {answer}; a failed \
call raises ToolError with the tool's message. Arguments are given by keyword.
- The code can import the standard library to compute with. It reaches files, networks and \
processes only through the tools, and has no threads.
- You see what a block printed and its error, and nothing else: print what you need to know."""

_BY_TOOL = f"""\
You reach a goal by writing Python code that calls tools. Return what is to be done as tool calls.

- {CODE_TOOL} runs a block of code. Several calls in one reply are queued and run in order; where \
a block fails, those after it are cancelled. {_CODE}
{{direct}}- When the goal is reached, and only then, reply without any tool call: that ends the \
work."""

_DIRECT = """\
- A tool may also be called directly, without code: that runs as a block that prints the text.
"""

_BY_SCHEMA = f"""\
You reach a goal by writing Python code that calls tools. Return each reply as one JSON object of \
the given schema and nothing else: a few words of text, then the blocks of code to run.

- Several blocks are queued and run in order; where one fails, those after it are cancelled. {_CODE}
- When the goal is reached, and only then, reply with no blocks: that ends the work."""

_LISTED = "\n\nThe tools, with their arguments:\n"

_REPLY: JsonObject = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 600},
        "blocks": {
            "type": "array",
            "maxItems": 8,
            "items": {"type": "string", "maxLength": 20_000},
        },
    },
    "required": ["text", "blocks"],
    "additionalProperties": False,
}


def plan_request(
    settings: ModelSettings,
    goal: str,
    history: History,
    tools: Mapping[str, Tool],
    proxy: str,
    *,
    show_decisions: bool,
) -> JsonObject:
    """Return the whole request for the reply that follows a history.

    Each block of the history stands there with what it printed; a direct call stands as the code
    that it ran as, and the calls inside blocks do not. The choice of tools is always the model's
    own: a reply without a call is how it ends.
    """
    seen = _seen(history, show_decisions)
    called = called_as(tools, proxy)
    words = {
        "called": called,
        "name": called.rpartition(".")[2],
        "answer": answer_of(tools).rstrip(","),
    }
    if settings.protocol == "tools":
        functions = are_functions(tools)
        role = _BY_TOOL.format(direct=_DIRECT if functions else "", **words)
        role += "" if functions else _LISTED + listed_tools(tools)
        chat = [_said("system", role), _said("user", goal), *_tool_chat(seen)]
        return chat_request(settings, chat, tools=_native_tools(tools if functions else {}, called))
    role = _BY_SCHEMA.format(**words) + _LISTED + listed_tools(tools)
    chat = [_said("system", role), _said("user", goal), *_plain_chat(seen)]
    return chat_request(settings, chat, schema=_REPLY)


def _native_tools(tools: Mapping[str, Tool], called: str) -> list[JsonObject]:
    """Return the code tool and the primitive tools in the request's form."""
    code = {"type": "string", "description": f"Python code that calls tools as {called}(…)."}
    parameters = {"type": "object", "properties": {"code": code}, "required": ["code"]}
    return [
        function_tool(CODE_TOOL, "Run a block of Python code.", parameters),
        *(
            function_tool(name, tool.description, tool.input_schema)
            for name, tool in sorted(tools.items())
        ),
    ]


def _seen(history: History, show_decisions: bool) -> Iterator[JsonObject]:
    """Yield the replies of a history, and what a planner sees of each block."""
    decided: list[str] = []
    for entry in history.entries:
        match entry["kind"]:
            case "reply":
                yield entry
            case "decision" if show_decisions:
                decided.append(f"A review during this block: {entry['realized']}.")
            case "result" | "receipt":
                yield {**entry, "content": "\n".join([*decided, entry["content"]])}
                decided = []


def _said(role: str, content: str) -> JsonObject:
    return {"role": role, "content": content}


def _tool_chat(seen: Iterator[JsonObject]) -> Iterator[JsonObject]:
    """Write replies with a call of the code tool for each block, answered by its id."""
    for entry in seen:
        if entry["kind"] == "reply":
            calls = [_call(block) for block in entry["blocks"]]
            yield {**_said("assistant", entry["text"]), "tool_calls": calls}
        else:
            yield {**_said("tool", entry["content"]), "tool_call_id": entry["block"]}


def _plain_chat(seen: Iterator[JsonObject]) -> Iterator[JsonObject]:
    """Write replies as the objects they were, and the results of each in one message."""
    results: list[str] = []
    for entry in seen:
        if entry["kind"] != "reply":
            results.append(f"Block {entry['block']}:\n{as_data('output', entry['content'])}")
            continue
        if results:
            yield _said("user", "\n\n".join(results))
            results = []
        codes = [block["code"] for block in entry["blocks"]]
        yield _said("assistant", json.dumps({"text": entry["text"], "blocks": codes}))
    if results:
        yield _said("user", "\n\n".join(results))


def _call(block: JsonObject) -> JsonObject:
    arguments = json.dumps({"code": block["code"]})
    function = {"name": CODE_TOOL, "arguments": arguments}
    return {"id": block["id"], "type": "function", "function": function}


def read_plan(
    settings: ModelSettings, response: Response, number: int, tools: Mapping[str, Tool], proxy: str
) -> Reply:
    """Return a response's blocks as reply `number`, from 1.

    Their ids follow from that number, so that equal replies make equal requests. What cannot be
    run is a block that says so when it runs: the planner sees it and can try again.
    """
    if settings.protocol == "tools":
        text = response.text
        codes = [_code(call, response, tools, proxy) for call in response.tool_calls]
    else:
        text, codes = _read_object(response)
    blocks = (Block(f"call_{number:02}_{k}", code) for k, code in enumerate(codes, start=1))
    return Reply(tuple(blocks), text)


def _read_object(response: Response) -> tuple[str, list[str]]:
    try:
        reply: Any = json.loads(response.text)
    except (ValueError, RecursionError):
        return response.text, [_complaint(f"the reply is not JSON{_cut(response)}")]
    blocks = reply.get("blocks") if isinstance(reply, dict) else None
    if not isinstance(blocks, list) or not all(isinstance(code, str) for code in blocks):
        return response.text, [_complaint("the reply is no object with a list of blocks")]
    text = reply.get("text")
    return text if isinstance(text, str) else "", blocks


def _cut(response: Response) -> str:
    return "; it was cut off at its token limit" if response.cut_off else ""


def _code(call: ToolCall, response: Response, tools: Mapping[str, Tool], proxy: str) -> str:
    if call.name != CODE_TOOL and call.name not in tools:
        return _complaint(f"there is no tool {call.name[:80]!r}")
    try:
        arguments: Any = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return _complaint(f"the arguments of {call.name} are not JSON{_cut(response)}")
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
    return f"print({callee_of(proxy, tool)}({given}))"


def _complaint(problem: str) -> str:
    return f"raise ValueError({problem!r})"
