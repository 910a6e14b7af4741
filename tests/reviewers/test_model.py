import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controlscope.boundaries import Boundary
from controlscope.budgets import Contract
from controlscope.continuations import CallSite
from controlscope.errors import InvalidReviewError, ReviewServiceError
from controlscope.operations import (
    SCOPES,
    EditParameters,
    Keep,
    PatchArguments,
    Replace,
    ReplaceBoundary,
    Scope,
)
from controlscope.roles import Review
from reviewers.model import ModelReviewer
from tests.controlscope.pausing import boundary_at
from tests.reviewers.asking import asking
from tests.reviewers.model_server import Answer, Script, body, calls, document, fails, says, serving

pytestmark = pytest.mark.anyio

WITHOUT_EDITS: tuple[Scope, ...] = ("keep", "arg", "full")
CODE = 'text = fs.read(path="a.txt")\nfs.write(path="b.txt", content=text)\n'
HIGH = {"reasoning_effort": "high"}


async def _review(
    script: Script,
    folder: Path,
    scope: Scope = "full",
    *,
    boundary: Boundary | None = None,
    replace: ReplaceBoundary = "reply",
    show_budget: bool = True,
    **settings: Any,
) -> Review:
    async with asking(script, folder, **settings) as endpoint:
        reviewer = ModelReviewer(
            endpoint, replace, lambda at: f"full/1/{at.index}", show_budget=show_budget
        )
        return await reviewer.review(boundary or boundary_at(CODE, 1), scope)


OVERRIDE = {"tool": "write", "line": 2, "column": 0, "arguments": {"content": "x"}}


@pytest.mark.parametrize(
    ("call", "operation"),
    [
        (("keep", {"problem": "none"}), Keep()),
        (("keep", ""), Keep()),
        (
            ("patch_arguments", {"problem": "none", "arguments": {"path": "c.txt"}}),
            PatchArguments({"path": "c.txt"}),
        ),
        (("patch_arguments", {"arguments": {"problem": 1}}), PatchArguments({"problem": 1})),
        (
            ("edit_parameters", {"problem": "none", "overrides": [OVERRIDE]}),
            EditParameters({CallSite("write", 2, 0): {"content": "x"}}),
        ),
        (("replace_continuation", {"problem": "none", "code": "pass"}), Replace("pass")),
    ],
)
async def test_a_single_tool_call_is_an_operation(
    call: tuple[str, Any], operation: object, tmp_path: Path
) -> None:
    with serving(calls(call, text="Some thoughts.")) as script:
        review = await _review(script, tmp_path)
    assert review.operation == operation
    assert review.usage is not None
    assert review.usage.tokens.output == 20
    assert review.usage.served["draw"] == "full/1/1"


async def test_the_problem_is_the_reason(tmp_path: Path) -> None:
    with serving(calls(("keep", {"problem": "none seen"}))) as script:
        assert (await _review(script, tmp_path)).reason == "none seen"


async def test_an_operation_that_was_not_offered_is_left_to_the_scope(tmp_path: Path) -> None:
    with serving(calls(("replace_continuation", {"problem": "", "code": "pass"}))) as script:
        review = await _review(script, tmp_path, "arg")
    assert review.operation == Replace("pass")


def _always(key: str) -> Callable[[Boundary], str]:
    return lambda _: key


KEEP = ("keep", {"problem": ""})


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (says("I would keep it."), "0 tool calls"),
        (calls(), "0 tool calls"),
        (calls(KEEP, KEEP), "2 tool calls"),
        (calls(("drop", {})), "no operation is named 'drop'"),
        (calls(("keep", "{")), "not JSON"),
        (calls(("keep", "[" * 100_000)), "not JSON"),
        (calls(("keep", "[]")), "no JSON object"),
        (calls(("keep", {"sure": True})), "an operation is"),
        (calls(("patch_arguments", {"arguments": []})), "an operation is"),
        (calls(("patch_arguments", {"problem": ""})), "an operation is"),
        (calls(("patch_arguments", '{"arguments": {"n": NaN}}')), "no operation"),
        (calls(("edit_parameters", {"overrides": {}})), "an operation is"),
        (calls(("edit_parameters", {"overrides": [OVERRIDE] * 2})), "override 1 names line 2"),
        (calls(("replace_continuation", {"code": 1})), "an operation is"),
        (calls(KEEP, finish="length"), "cut off"),
        (says("", finish="length"), "cut off"),
    ],
)
async def test_a_reply_without_a_single_operation_is_invalid_and_paid_for(
    answer: Answer, why: str, tmp_path: Path
) -> None:
    with serving(answer) as script, pytest.raises(InvalidReviewError, match=why) as caught:
        await _review(script, tmp_path)
    assert caught.value.usage is not None
    assert caught.value.usage.tokens.input == 100


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (fails(400, "bad schema"), "refused: HTTP 400: bad schema"),
        (fails(400, "", "context_length_exceeded"), "context_limit: HTTP 400"),
        (fails(500, "down"), "server: HTTP 500: down"),
        (body(document("hi", choices=[])), "malformed: choices: Value error, it has no choices"),
    ],
)
async def test_a_provider_error_is_no_review(answer: Answer, why: str, tmp_path: Path) -> None:
    with serving(answer) as script, pytest.raises(ReviewServiceError) as caught:
        await _review(script, tmp_path)
    assert str(caught.value) == why


async def _requests(
    folder: Path, contract: Contract | None = None, **settings: Any
) -> list[dict[str, Any]]:
    boundary = boundary_at(CODE, 1, contract=contract)
    with serving(calls(KEEP)) as script:
        for scope in SCOPES if contract == "v2" else WITHOUT_EDITS:
            try:
                await _review(script, folder, scope, boundary=boundary, **settings)
            except InvalidReviewError:
                # The same reply serves both protocols; here only what was asked counts.
                assert settings["protocol"] == "json_schema"
    return script.requests


async def test_the_scopes_differ_in_the_operations_offered_alone(tmp_path: Path) -> None:
    requests = await _requests(tmp_path, tool_choice="required")
    offered = [request.pop("tools") for request in requests]
    assert [[tool["function"]["name"] for tool in tools] for tools in offered] == [
        ["keep"],
        ["keep", "patch_arguments"],
        ["keep", "patch_arguments", "replace_continuation"],
    ]
    assert offered[2][:2] == offered[1]
    assert requests[0] == requests[1] == requests[2]
    assert requests[0]["tool_choice"] == "required"
    assert requests[0]["max_tokens"] == 16_384
    assert [message["role"] for message in requests[0]["messages"]] == ["system", "user"]


async def test_under_v2_an_edit_of_parameters_is_offered_between_patch_and_replacement(
    tmp_path: Path,
) -> None:
    names = ["keep", "patch_arguments", "edit_parameters", "replace_continuation"]
    requests = await _requests(tmp_path / "tools", "v2", tool_choice="required")
    offered = [request.pop("tools") for request in requests]
    assert [[tool["function"]["name"] for tool in tools] for tools in offered] == [
        names[:1], names[:2], names[:3], names,
    ]  # fmt: skip
    assert offered[3][:3] == offered[2]
    assert all(request == requests[0] for request in requests)
    requests = await _requests(tmp_path / "schema", "v2", protocol="json_schema")
    forms = [request.pop("response_format")["json_schema"]["schema"] for request in requests]
    *_, edit, _ = forms[3]["properties"]["operation"]["anyOf"]
    assert edit["properties"]["operation"]["const"] == "parameters"
    entry = edit["properties"]["overrides"]["items"]
    assert entry["required"] == ["tool", "line", "column", "arguments"]


async def test_the_scopes_differ_in_the_schema_alone_without_tools(tmp_path: Path) -> None:
    requests = await _requests(tmp_path, protocol="json_schema")
    forms = [request.pop("response_format")["json_schema"]["schema"] for request in requests]
    words = [
        [
            each["properties"]["operation"]["const"]
            for each in form["properties"]["operation"]["anyOf"]
        ]
        for form in forms
    ]
    assert words == [["keep"], ["keep", "patch"], ["keep", "patch", "replace"]]
    assert [list(form["properties"]) for form in forms] == [["problem", "operation"]] * 3
    assert requests[0] == requests[1] == requests[2]
    assert "tools" not in requests[0]


async def test_the_modes_ask_for_the_same(tmp_path: Path) -> None:
    fast = await _requests(tmp_path / "fast", reasoning=HIGH)
    reasoning = await _requests(tmp_path / "reasoning", mode="reasoning", reasoning=HIGH)
    for one, other in zip(fast, reasoning, strict=True):
        assert one.pop("temperature") == 0.7
        assert other.pop("reasoning_effort") == "high"
        assert one == other


@pytest.mark.parametrize("replace", ["reply", "block"])
async def test_a_replacement_is_offered_as_what_it_cancels(
    replace: ReplaceBoundary, tmp_path: Path
) -> None:
    with serving(calls(KEEP)) as script:
        await _review(script, tmp_path, replace=replace)
    text = json.dumps(script.requests[0]["tools"][2])
    assert ("all queued blocks" in text) == (replace == "reply")
    assert ("queued blocks still run" in text) == (replace == "block")


@pytest.mark.parametrize("shown", [True, False])
async def test_the_remaining_budget_is_shown_where_the_panel_says_so(
    shown: bool, tmp_path: Path
) -> None:
    with serving(calls(KEEP)) as script:
        await _review(script, tmp_path, show_budget=shown)
    assert ("Left: 99 calls" in script.requests[0]["messages"][1]["content"]) == shown


@pytest.mark.parametrize(
    ("reply", "operation"),
    [
        ({"operation": "keep"}, Keep()),
        ({"operation": "patch", "arguments": {"path": "c"}}, PatchArguments({"path": "c"})),
        ({"operation": "replace", "code": "pass"}, Replace("pass")),
    ],
)
async def test_without_tools_the_reply_is_one_object(
    reply: dict[str, Any], operation: object, tmp_path: Path
) -> None:
    with serving(says(json.dumps({"problem": "p", "operation": reply}))) as script:
        review = await _review(script, tmp_path, protocol="json_schema")
    assert (review.operation, review.reason) == (operation, "p")


@pytest.mark.parametrize(
    ("text", "finish"),
    [
        ("", "stop"),
        ("keep", "stop"),
        ("[]", "stop"),
        ('{"problem": "p"}', "stop"),
        ('{"problem": "p", "operation": "keep"}', "stop"),
        ('{"problem": "p", "operation": {"operation": "drop"}}', "stop"),
        ('{"problem": "p", "operation": {"operation": "keep"}}', "length"),
    ],
)
async def test_without_tools_anything_else_is_invalid(
    text: str, finish: str, tmp_path: Path
) -> None:
    answer = says(text, finish=finish)
    with serving(answer) as script, pytest.raises(InvalidReviewError) as caught:
        await _review(script, tmp_path, protocol="json_schema")
    assert caught.value.usage is not None


async def test_draws_of_one_boundary_are_sampled_apart(tmp_path: Path) -> None:
    patched = calls(("patch_arguments", {"problem": "", "arguments": {"path": "c.txt"}}))
    with serving(calls(KEEP), patched) as script:
        async with asking(script, tmp_path) as endpoint:
            operations = []
            for key in ("full/1", "full/2", "full/1"):
                reviewer = ModelReviewer(endpoint, "reply", _always(key))
                operations.append((await reviewer.review(boundary_at(CODE, 1), "full")).operation)
    assert operations == [Keep(), PatchArguments({"path": "c.txt"}), Keep()]
