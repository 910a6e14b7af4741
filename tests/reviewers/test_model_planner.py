import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlscope.boundaries import History
from controlscope.canonical import JsonObject
from controlscope.errors import InputError, PlannerError
from controlscope.tasks import Block, Reply, SourceProgram
from reviewers.model_planner import ModelPlanner
from reviewers.plan_form import direct_call
from reviewers.record import as_data
from tests.controlscope.json_values import OBJECTS
from tests.controlscope.pausing import TOOLS, run, tool
from tests.reviewers.asking import asking
from tests.reviewers.model_server import Answer, body, calls, document, fails, says, serving

pytestmark = pytest.mark.anyio

PROGRAM = SourceProgram("P1", (Reply((Block("call_01", "one()"),)), Reply((Block("x", "two()"),))))


def _after(reply: Reply, *entries: JsonObject) -> History:
    blocks = [{"id": block.id, "code": block.code} for block in reply.blocks]
    history = History() + {"kind": "reply", "text": reply.text, "blocks": blocks}
    for entry in entries:
        history += entry
    return history


RESULT: JsonObject = {"kind": "result", "block": "call_01", "content": "1", "error": None}
AFTER_FIRST = _after(PROGRAM.replies[0], RESULT)


async def _reply(answer: Answer, folder: Path, **settings: Any) -> Reply:
    with serving(answer) as script:
        async with asking(script, folder, **settings) as endpoint:
            planner = ModelPlanner(endpoint, TOOLS, "fs", PROGRAM)
            return (await planner.plan("Do it.", AFTER_FIRST)).reply


async def test_the_first_reply_is_the_programs_own_and_costs_nothing(tmp_path: Path) -> None:
    with serving(says("done")) as script:
        async with asking(script, tmp_path) as endpoint:
            plan = await ModelPlanner(endpoint, TOOLS, "fs", PROGRAM).plan("Do it.", History())
    assert (plan.reply, plan.usage) == (PROGRAM.replies[0], None)
    assert script.requests == []


async def test_later_replies_are_the_models(tmp_path: Path) -> None:
    reply = await _reply(calls(("run_python", {"code": "a()"}), text="Next."), tmp_path)
    assert reply == Reply((Block("call_02_1", "a()"),), "Next.")


async def test_a_reply_may_queue_several_calls_with_code_or_without(tmp_path: Path) -> None:
    answer = calls(("run_python", {"code": "a()"}), ("read", {"path": "a.txt", "head": 3}))
    assert (await _reply(answer, tmp_path)).blocks == (
        Block("call_02_1", "a()"),
        Block("call_02_2", "print(fs.read(path='a.txt', head=3))"),
    )


async def test_a_reply_without_a_call_ends_the_trajectory(tmp_path: Path) -> None:
    assert await _reply(says("All is done."), tmp_path) == Reply((), "All is done.")


@pytest.mark.parametrize(
    ("call", "said", "finish"),
    [
        (("run_python", "{"), "the arguments of run_python are not JSON", "tool_calls"),
        (("run_python", '{"code": "a('), "cut off at its token limit", "length"),
        (("run_python", "[]"), "are no JSON object", "tool_calls"),
        (("run_python", {}), "needs its code", "tool_calls"),
        (("run_python", {"code": ["a()"]}), "needs its code", "tool_calls"),
        (("read", '{"head": NaN}'), "are no JSON object", "tool_calls"),
        (("shell", {"code": "ls"}), "there is no tool 'shell'", "tool_calls"),
    ],
)
async def test_a_call_that_cannot_run_says_so_when_it_runs(
    call: tuple[str, Any], said: str, finish: str, tmp_path: Path
) -> None:
    reply = await _reply(calls(call, finish=finish), tmp_path)
    assert len(reply.blocks) == 1
    with pytest.raises(ValueError, match=said):
        exec(reply.blocks[0].code, {})


@given(OBJECTS)
def test_a_direct_call_is_made_with_exactly_its_arguments(arguments: JsonObject) -> None:
    made = run(direct_call("fs", "read", arguments), {"print": lambda _: None})
    assert [(call.tool, call.arguments) for call in made] == [("read", arguments)]


@given(st.sampled_from(["from", "class", "a-b", "ﬁ", "", "a b", "self", "\ud800", "True"]))
def test_a_direct_calls_names_may_be_anything(name: str) -> None:
    made = run(direct_call("fs", "read", {name: "x"}), {"print": lambda _: None})
    assert [call.arguments for call in made] == [{name: "x"}]


async def test_a_history_is_asked_as_a_chat_of_code_calls_and_their_results(
    tmp_path: Path,
) -> None:
    first = Reply((Block("call_01a", "one()"), Block("call_01b", "two()")), "I start.")
    history = _after(
        first,
        {"kind": "call", "tool": "read", "arguments": {}, "observation": "x", "is_error": False},
        {"kind": "result", "block": "call_01a", "content": "[tool_error]\nlost", "error": "e"},
        {"kind": "receipt", "block": "call_01b", "content": "Cancelled before it ran."},
    )
    with serving(says("done")) as script:
        async with asking(script, tmp_path, tool_choice="required") as endpoint:
            await ModelPlanner(endpoint, TOOLS, "files", PROGRAM).plan("Do it.", history)
    request = script.requests[0]
    system, *chat = request["messages"]
    assert "files.NAME(argument=value)" in system["content"]
    assert "reply without any tool call: that ends the work" in system["content"]
    assert chat == [
        {"role": "user", "content": "Do it."},
        {
            "role": "assistant",
            "content": "I start.",
            "tool_calls": [
                {
                    "id": name,
                    "type": "function",
                    "function": {"name": "run_python", "arguments": json.dumps({"code": code})},
                }
                for name, code in (("call_01a", "one()"), ("call_01b", "two()"))
            ],
        },
        {"role": "tool", "tool_call_id": "call_01a", "content": "[tool_error]\nlost"},
        {"role": "tool", "tool_call_id": "call_01b", "content": "Cancelled before it ran."},
    ]
    names = [each["function"]["name"] for each in request["tools"]]
    assert names == ["run_python", "read", "run", "write"]
    assert request["tools"][1]["function"]["parameters"] == TOOLS["read"].input_schema
    # Required, a planner could never end.
    assert request["tool_choice"] == "auto"


async def test_the_planner_is_told_of_reviews_only_where_the_panel_says_so(
    tmp_path: Path,
) -> None:
    history = _after(PROGRAM.replies[0]).noted({"boundary": 0, "realized": "patch"}) + RESULT
    with serving(says("done")) as script:
        async with asking(script, tmp_path) as endpoint:
            for shown in (False, True):
                planner = ModelPlanner(endpoint, TOOLS, "fs", PROGRAM, show_decisions=shown)
                await planner.plan("Do it.", history)
    contents = [request["messages"][-1]["content"] for request in script.requests]
    assert contents == ["1", "A review during this block: patch.\n1"]


async def test_equal_histories_share_a_response_unless_their_keys_differ(tmp_path: Path) -> None:
    answers = [calls(("run_python", {"code": code})) for code in ("a()", "b()", "c()")]
    with serving(*answers) as script:
        async with asking(script, tmp_path) as endpoint:
            codes = [
                (
                    await ModelPlanner(endpoint, TOOLS, "fs", PROGRAM, draw_key=key).plan(
                        "Do it.", AFTER_FIRST
                    )
                )
                .reply.blocks[0]
                .code
                for key in ("", "", "keep/1", "keep/2", "keep/1")
            ]
    assert codes == ["a()", "a()", "b()", "c()", "b()"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (fails(400, "no"), "planner_error"),
        (fails(400, "", "context_length_exceeded"), "context_limit"),
        (fails(503), "planner_error"),
        (body(document("hi", choices=[])), "planner_error"),
    ],
)
async def test_a_provider_error_ends_planning(answer: Answer, kind: str, tmp_path: Path) -> None:
    with pytest.raises(PlannerError) as caught:
        await _reply(answer, tmp_path)
    assert caught.value.kind == kind


async def test_a_tool_may_not_have_the_code_tools_name(tmp_path: Path) -> None:
    with serving(says("done")) as script:
        async with asking(script, tmp_path) as endpoint:
            tools = {"run_python": tool("run_python", {}, [])}
            with pytest.raises(InputError, match="a tool is named run_python"):
                ModelPlanner(endpoint, tools, "fs", None)


async def test_without_tools_a_reply_is_one_object_and_so_is_the_chat(tmp_path: Path) -> None:
    history = _after(
        Reply((Block("call_01a", "one()"), Block("call_01b", "two()")), "I start."),
        {"kind": "result", "block": "call_01a", "content": "lost", "error": "tool_error"},
        {"kind": "receipt", "block": "call_01b", "content": "Cancelled."},
    )
    with serving(says('{"text": "Next.", "blocks": ["a()", "b()"]}')) as script:
        async with asking(script, tmp_path, protocol="json_schema") as endpoint:
            planner = ModelPlanner(endpoint, TOOLS, "files", PROGRAM)
            reply = (await planner.plan("Do it.", history)).reply
    assert reply == Reply((Block("call_02_1", "a()"), Block("call_02_2", "b()")), "Next.")
    request = script.requests[0]
    assert "tools" not in request
    schema = request["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["text", "blocks"]
    system, *chat = request["messages"]
    assert "files.NAME(argument=value)" in system["content"]
    assert '- read: \n  {"properties"' in system["content"]
    assert chat == [
        {"role": "user", "content": "Do it."},
        {
            "role": "assistant",
            "content": '{"text": "I start.", "blocks": ["one()", "two()"]}',
        },
        {
            "role": "user",
            "content": f"Block call_01a:\n{as_data('output', 'lost')}\n\n"
            f"Block call_01b:\n{as_data('output', 'Cancelled.')}",
        },
    ]


@pytest.mark.parametrize(
    ("text", "finish", "said"),
    [
        ("I would run it.", "stop", "the reply is not JSON$"),
        ('{"text": "", "blocks": ["a(', "length", "cut off at its token limit"),
        ("[]", "stop", "no object with a list of blocks"),
        ('{"text": "", "blocks": [1]}', "stop", "no object with a list of blocks"),
        ('{"text": "done"}', "stop", "no object with a list of blocks"),
    ],
)
async def test_without_tools_what_cannot_run_says_so_when_it_runs(
    text: str, finish: str, said: str, tmp_path: Path
) -> None:
    reply = await _reply(says(text, finish=finish), tmp_path, protocol="json_schema")
    assert len(reply.blocks) == 1
    with pytest.raises(ValueError, match=said):
        exec(reply.blocks[0].code, {})


async def test_without_tools_a_reply_without_blocks_ends_the_trajectory(tmp_path: Path) -> None:
    answer = says('{"text": "All is done.", "blocks": []}')
    reply = await _reply(answer, tmp_path, protocol="json_schema")
    assert reply == Reply((), "All is done.")
