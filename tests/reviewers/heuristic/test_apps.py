"""What the rules make of a pending call of an app's API, given the schemas and earlier answers."""

import json
from collections.abc import Sequence

import pytest

from controlscope.boundaries import Boundary, History, PendingCall, Remaining, Variables
from controlscope.budgets import Contract
from controlscope.canonical import JsonObject
from controlscope.continuations import CallSite, Position, parse_block, proxy_calls, site_of
from controlscope.operations import (
    EditParameters,
    Keep,
    Operation,
    PatchArguments,
    Replace,
    Scope,
    realize,
)
from controlscope.tasks import Block
from controlscope.tools import Tool
from reviewers.heuristic import Heuristic
from tests.reviewers.stand_in import now

TEXT: JsonObject = {"type": "string"}
INTEGER: JsonObject = {"type": "integer"}
PAGES: JsonObject = {
    "page_index": {**INTEGER, "default": 0, "minimum": 0},
    "page_limit": {**INTEGER, "default": 5, "minimum": 1, "maximum": 20},
}


def _tool(name: str, properties: JsonObject, *required: str, read_only: bool = False) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name, "", schema, read_only)


TOOLS = {
    tool.name: tool
    for tool in (
        _tool("mail.login", {"username": TEXT, "password": TEXT}, "username", "password"),
        _tool("mail.list", {"access_token": TEXT, **PAGES}, "access_token", read_only=True),
        _tool(
            "mail.star",
            {"mail_thread_id": INTEGER, "access_token": TEXT},
            "mail_thread_id",
            "access_token",
        ),
        _tool("shop.list", {"query": TEXT}, read_only=True),
    )
}
LOGIN: JsonObject = {
    "kind": "call",
    "tool": "mail.login",
    "arguments": {"username": "a", "password": "b"},
    "observation": json.dumps({"access_token": "T1", "token_type": "Bearer"}),
    "is_error": False,
}
REPLY: JsonObject = {"kind": "reply", "text": "", "blocks": []}


def _boundary(
    code: str,
    arguments: JsonObject,
    *,
    number: int = 0,
    before: Sequence[JsonObject] = (REPLY, LOGIN),
    contract: Contract | None = "v2",
    queued: Sequence[str] = (),
) -> Boundary:
    """Stop a block at its call of the given number."""
    history = History()
    for entry in before:
        history += entry
    call = proxy_calls(parse_block(code), "apis")[number]
    end = call.end_lineno or 0, call.end_col_offset or 0
    position = Position(call.lineno, call.col_offset, *end)
    line = code.splitlines()[call.lineno - 1]
    tool = line[call.col_offset :].removeprefix("apis.").split("(")[0]
    return Boundary(
        index=1,
        goal="star all",
        proxy="apis",
        history=history,
        block=Block("b", code),
        queued=tuple(Block(f"q{n}", text) for n, text in enumerate(queued)),
        pending=PendingCall(tool, arguments, position),
        site=site_of(code, position, "apis", 0),
        variables=Variables({}, {"token": "T1"}),
        printed="",
        decisions=(),
        tools=TOOLS,
        remaining=Remaining(requests=100, blocks=5),
        environment="",
        contract=contract,
    )


def _decided(boundary: Boundary, scope: Scope) -> Operation:
    operation = now(Heuristic("block").review(boundary, scope)).operation
    effective = realize(operation, boundary, scope, "block")
    assert (effective == "keep") == isinstance(operation, Keep)
    assert effective != "no_op"
    return operation


ONE = "apis.mail.star(mail_thread_id=1)\n"
EACH = "for n in (1, 2):\n    apis.mail.star(mail_thread_id=n)\n"
LIST = "found = apis.mail.list(access_token=token)\nprint(found)\n"


@pytest.mark.parametrize("scope", ["arg", "params", "full"])
def test_a_token_that_is_left_out_is_the_one_of_the_app_s_login(scope: Scope) -> None:
    found = _decided(_boundary(ONE, {"mail_thread_id": 1}), scope)
    assert found == PatchArguments({"access_token": "T1"})


@pytest.mark.parametrize("scope", ["params", "full"])
def test_in_a_loop_the_token_is_set_for_all_of_its_calls(scope: Scope) -> None:
    found = _decided(_boundary(EACH, {"mail_thread_id": 1}), scope)
    assert found == EditParameters({CallSite("mail.star", 2, 4): {"access_token": "T1"}})


def test_outside_the_contract_v2_a_token_is_patched_in_a_loop_too() -> None:
    boundary = _boundary(EACH, {"mail_thread_id": 1}, contract="v1")
    assert _decided(boundary, "full") == PatchArguments({"access_token": "T1"})


def test_each_call_ahead_that_lacks_the_token_gets_it() -> None:
    code = f"{ONE}apis.mail.star(mail_thread_id=2, access_token=token)\n{ONE}apis.shop.list()\n"
    found = _decided(_boundary(code, {"mail_thread_id": 1}), "params")
    token = {"access_token": "T1"}
    assert found == EditParameters(
        {CallSite("mail.star", 1, 0): token, CallSite("mail.star", 3, 0): token}
    )


@pytest.mark.parametrize(
    "before",
    [
        (REPLY,),
        (REPLY, {**LOGIN, "is_error": True}),
        (REPLY, {**LOGIN, "tool": "shop.login"}),
        (REPLY, {**LOGIN, "observation": "[1]"}),
    ],
)
def test_without_a_login_of_the_app_there_is_no_token_to_give(
    before: Sequence[JsonObject],
) -> None:
    boundary = _boundary(ONE, {"mail_thread_id": 1}, before=before)
    assert _decided(boundary, "arg") == Keep()


def test_the_first_page_becomes_as_large_as_it_can() -> None:
    boundary = _boundary(LIST, {"access_token": "T1"})
    assert _decided(boundary, "arg") == PatchArguments({"page_limit": 20})
    large = {"access_token": "T1", "page_limit": 20}
    assert _decided(_boundary(LIST, large), "arg") == Keep()


def test_a_later_page_becomes_larger_only_after_a_larger_one() -> None:
    code = "for n in range(3):\n    apis.mail.list(access_token=token, page_index=n)\n"
    page: JsonObject = {"access_token": "T1", "page_index": 1}
    last = {**LOGIN, "tool": "mail.list", "observation": "[]"}
    small = _boundary(code, page, before=(REPLY, LOGIN, {**last, "arguments": {}}))
    large = _boundary(code, page, before=(REPLY, LOGIN, {**last, "arguments": {"page_limit": 20}}))
    assert _decided(small, "arg") == Keep()
    assert _decided(large, "arg") == PatchArguments({"page_limit": 20})


def test_pages_that_are_written_out_get_their_limit_together() -> None:
    page = "apis.mail.list(access_token=token, page_index={})"
    code = "".join(f"{name} = {page.format(n)}\n" for n, name in enumerate("abc"))
    limit = {"page_limit": 20}
    boundary = _boundary(code, {"access_token": "T1", "page_index": 0})
    for scope in ("params", "full"):
        assert _decided(boundary, scope) == EditParameters(
            {CallSite("mail.list", line, 4): limit for line in (1, 2, 3)}
        )
    assert _decided(boundary, "arg") == PatchArguments(limit)


def test_one_page_alone_is_replaced_by_all_of_them() -> None:
    found = _decided(_boundary(LIST, {"access_token": "T1"}), "full")
    assert isinstance(found, Replace)
    seen: list[int] = []

    class Mail:
        @staticmethod
        def list(access_token: str, page_limit: int, page_index: int) -> range:
            assert (access_token, page_limit) == ("T1", 20)
            seen.append(page_index)
            return range(45)[20 * page_index : 20 * (page_index + 1)]

    class Apis:
        mail = Mail

    names: JsonObject = {"apis": Apis, "token": "T1", "print": len}
    exec(found.code, names)
    assert (seen, names["found"]) == ([0, 1, 2], [*range(45)])


@pytest.mark.parametrize(
    "code",
    [
        "print(apis.mail.list(access_token=token))\n",
        "if token:\n    found = apis.mail.list(access_token=token)\n",
        f"{LIST}more = apis.mail.list(access_token=token, page_index=1)\n",
    ],
)
def test_where_more_than_one_page_may_be_meant_only_the_limit_changes(code: str) -> None:
    found = _decided(_boundary(code, {"access_token": "T1"}), "full")
    assert not isinstance(found, Replace)


def test_an_argument_of_another_name_gets_the_nearest_one() -> None:
    code = "for n in (1, 2):\n    apis.mail.star(thread_id=n, access_token=token)\n"
    wrong: JsonObject = {"thread_id": 1, "access_token": "T1"}
    found = _decided(_boundary(code, wrong, before=(REPLY,)), "full")
    assert found == Replace(code.replace("thread_id", "mail_thread_id").rstrip())
    for scope in ("arg", "params"):
        assert _decided(_boundary(code, wrong, before=(REPLY,)), scope) == Keep()


def test_no_loop_starts_again_in_a_block_that_has_written() -> None:
    call = "apis.mail.star(thread_id=1, access_token=token)\n"
    wrong: JsonObject = {"thread_id": 1, "access_token": "T1"}
    loop = _boundary(f"for n in (1, 2):\n    {call}", wrong, before=(REPLY, LOGIN))
    alone = _boundary(call, wrong, before=(REPLY, LOGIN))
    assert _decided(loop, "full") == Keep()
    assert isinstance(_decided(alone, "full"), Replace)


def test_a_name_that_is_near_to_none_stays() -> None:
    code = "apis.mail.star(zzz=1, access_token=token)\n"
    wrong: JsonObject = {"zzz": 1, "access_token": "T1"}
    assert _decided(_boundary(code, wrong, before=(REPLY,)), "full") == Keep()


def test_the_queued_blocks_are_carried_over_where_a_replacement_cancels_them() -> None:
    boundary = _boundary(LIST, {"access_token": "T1"}, queued=["print(1)\n"])
    operation = now(Heuristic("reply").review(boundary, "full")).operation
    assert isinstance(operation, Replace)
    assert operation.code.endswith("print(1)")
