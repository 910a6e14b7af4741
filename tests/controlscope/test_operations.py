import json
import math
import warnings
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlscope.budgets import Contract
from controlscope.errors import InvalidReviewError, RejectedError
from controlscope.operations import (
    PERMITTED,
    REPLACE_BOUNDARIES,
    SCOPES,
    EditParameters,
    Keep,
    Operation,
    PatchArguments,
    Realized,
    Replace,
    ReplaceBoundary,
    Scope,
    as_json,
    parse_operation,
    patch,
    permitted,
    realize,
)
from controlscope.tasks import Block
from tests.controlscope.json_values import OBJECTS, TEXTS, VALUES, nested
from tests.controlscope.pausing import boundary_at

CODE = 'text = fs.read(path="a.txt")\nfs.write(path="b.txt", content=text)\n'
QUEUED = (Block("call_02", "print(1)"),)


def _verdict(
    operation: Operation,
    scope: Scope = "full",
    code: str = CODE,
    at: int = 0,
    replace: ReplaceBoundary = "reply",
    queued: tuple[Block, ...] = (),
) -> Realized:
    return realize(operation, boundary_at(code, at, queued=queued), scope, replace)


def test_scopes_nest_and_each_adds_one_operation() -> None:
    assert SCOPES == ("keep", "arg", "params", "full")
    assert PERMITTED["keep"] < PERMITTED["arg"] < PERMITTED["params"] < PERMITTED["full"]
    assert PERMITTED["keep"] == {Keep}
    assert PERMITTED["arg"] - PERMITTED["keep"] == {PatchArguments}
    assert PERMITTED["params"] - PERMITTED["arg"] == {EditParameters}
    assert PERMITTED["full"] - PERMITTED["params"] == {Replace}


def test_only_under_the_contract_v2_full_is_more_than_arg_and_replacements() -> None:
    assert permitted("full", "v2") == PERMITTED["full"]
    others: tuple[Contract | None, ...] = ("v1", None)
    for contract in others:
        assert permitted("full", contract) == PERMITTED["arg"] | {Replace}


@pytest.mark.parametrize(
    ("operation", "scopes"),
    [
        (Keep(), {"keep", "arg", "params", "full"}),
        (PatchArguments({"path": "c.txt"}), {"arg", "params", "full"}),
        (PatchArguments({}), {"arg", "params", "full"}),
        (EditParameters({}), {"params", "full"}),
        (Replace("print(1)"), {"full"}),
    ],
)
def test_an_operation_is_permitted_by_its_scope_and_every_wider_one(
    operation: Operation, scopes: set[Scope]
) -> None:
    for scope in SCOPES:
        if scope in scopes:
            realize(operation, boundary_at(CODE, contract="v2"), scope, "reply")
        else:
            with pytest.raises(RejectedError, match=f"outside the scope {scope}"):
                realize(operation, boundary_at(CODE, contract="v2"), scope, "reply")


@given(st.dictionaries(st.sampled_from(["path", "head", "tail", "script", "x"]), VALUES))
def test_one_patch_gives_one_call_under_arg_and_full(arguments: dict[str, Any]) -> None:
    boundary = boundary_at(CODE)
    verdicts: list[str] = []
    for scope in ("arg", "full"):
        try:
            verdicts.append(realize(PatchArguments(arguments), boundary, scope, "reply"))
        except RejectedError as error:
            verdicts.append(str(error))
    assert verdicts[0] == verdicts[1]


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "path": st.text(st.characters(exclude_categories=["Cs"])),
            "head": st.integers(0, 9) | st.floats(0, 9),
        },
    )
)
def test_a_patch_is_merged_and_the_tool_the_place_and_the_original_stay(
    arguments: dict[str, Any],
) -> None:
    boundary = boundary_at(CODE)
    before = json.dumps(boundary.pending.as_json())
    call = patch(boundary, PatchArguments(arguments))
    assert call.arguments == {"path": "a.txt", **arguments}
    assert (call.tool, call.position) == (boundary.pending.tool, boundary.pending.position)
    assert json.dumps(boundary.pending.as_json()) == before


@pytest.mark.parametrize(
    ("arguments", "verdict"),
    [
        ({}, "no_op"),
        ({"path": "a.txt"}, "no_op"),
        ({"path": "A.txt"}, "patch"),
        ({"head": 1}, "patch"),
        ({"path": "a.txt", "tail": 2}, "patch"),
    ],
)
def test_a_patch_is_effective_only_where_the_arguments_change(
    arguments: dict[str, Any], verdict: str
) -> None:
    assert _verdict(PatchArguments(arguments), "arg") == verdict


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"file_path": "c.txt"}, "unknown argument 'file_path'; read takes path, head, tail"),
        ({"path": 7}, "path: 7 is not of type 'string'"),
        ({"path": None}, "path: None is not of type 'string'"),
        ({"head": "3"}, "head: '3' is not of type 'number'"),
        ({"head": True}, "head: True is not of type 'number'"),
        ({"path": "\ud800"}, "lone surrogate"),
        ({"head": math.nan}, "no JSON form"),
        ({"head": math.inf}, "no JSON form"),
        ({"head": nested(10_000)}, "nested deeper"),
        ({"path": "x" * (4 * 1024 * 1024 + 1)}, "the limit is"),
    ],
    ids=lambda value: str(value)[:20] if isinstance(value, str) else "",
)
def test_a_patch_that_is_not_valid_for_the_tool_is_rejected(
    arguments: dict[str, Any], reason: str
) -> None:
    for scope in ("arg", "full"):
        with pytest.raises(RejectedError) as refused:
            _verdict(PatchArguments(arguments), scope)
        assert reason in str(refused.value)
        assert "\n" not in str(refused.value)


def test_a_parameter_that_encodes_a_program_is_outside_every_patch() -> None:
    code = 'fs.run(path="a", script="print(1)")'
    for scope in ("arg", "full"):
        for script in ("print(2)", "print(1)"):
            with pytest.raises(RejectedError, match="script encodes a program"):
                _verdict(PatchArguments({"script": script}), scope, code)
        assert _verdict(PatchArguments({"path": "b"}), scope, code) == "patch"


def test_a_call_of_a_tool_that_is_not_there_cannot_be_patched() -> None:
    with pytest.raises(RejectedError, match="delete is not a tool"):
        _verdict(PatchArguments({"path": "b"}), "arg", 'fs.delete(path="a")')


def test_a_patch_mends_a_call_that_was_not_valid() -> None:
    code = "fs.read(path=3)"
    assert _verdict(PatchArguments({"path": "3"}), "arg", code) == "patch"
    with pytest.raises(RejectedError, match="path: 3 is not"):
        _verdict(PatchArguments({"head": 1}), "arg", code)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", "empty"),
        (" \n\t\n", "empty"),
        ("# only a comment", "empty"),
        ("x = (", "not Python that parses"),
        ("  x = 1", "not Python that parses"),
        ("for p in q", "not Python that parses"),
        ("x = '\x00'", "not Python that parses"),
        ("x = '\ud800'", "not Python that parses"),
        ("(" * 10_000 + ")" * 10_000, "not Python that parses"),
        ("x = " + "-" * 10_000 + "1", "not Python that parses"),
        ("x = " + "+".join("1" * 10_000), "not Python that parses"),
        ("x = " + "9" * 5_000, "not Python that parses"),
        ("\ufeffx = 1", "not Python that parses"),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_a_replacement_that_is_no_program_is_rejected(code: str, reason: str) -> None:
    for replace in REPLACE_BOUNDARIES:
        with pytest.raises(RejectedError) as refused:
            _verdict(Replace(code), replace=replace)
        assert reason in str(refused.value)
        assert "\n" not in str(refused.value)


@given(TEXTS | st.text("fs.read(path='a')\n:=[]{} #if\t\\", max_size=40))
def test_any_text_as_a_replacement_is_realized_or_rejected(code: str) -> None:
    with suppress(RejectedError):
        assert _verdict(Replace(code)) in ("replace", "no_op")


@pytest.mark.parametrize("code", ["pass", "'a text'", "1", "while True:\n    pass", CODE * 2])
def test_any_program_that_parses_replaces_the_rest(code: str) -> None:
    assert _verdict(Replace(code)) == "replace"


def test_a_replacement_is_taken_whatever_the_warnings_filter_says() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert _verdict(Replace("x = '\\d'")) == "replace"


def test_the_rest_as_it_stands_is_no_replacement() -> None:
    second = 'fs.write(path="b.txt", content=text)'
    assert _verdict(Replace(CODE)) == "no_op"
    assert _verdict(Replace("# again\n" + CODE.replace('"', "'"))) == "no_op"
    assert _verdict(Replace(second), at=1) == "no_op"
    assert _verdict(Replace(second)) == "replace"
    assert _verdict(Replace(CODE), at=1) == "replace"
    assert _verdict(Replace(CODE.replace("a.txt", "A.txt"))) == "replace"


@pytest.mark.parametrize(
    ("one", "other"), [("1", "1.0"), ("1", "True"), ("0.0", "-0.0"), ("'1'", "b'1'"), ("x", "'x'")]
)
def test_another_constant_is_another_program(one: str, other: str) -> None:
    rest = 'x = fs.read(path="a")\ny = {}'
    assert _verdict(Replace(rest.format(one)), code=rest.format(one)) == "no_op"
    assert _verdict(Replace(rest.format(other)), code=rest.format(one)) == "replace"


def test_the_rest_as_it_stands_replaces_a_reply_that_still_holds_blocks() -> None:
    assert _verdict(Replace(CODE), queued=QUEUED, replace="reply") == "replace"
    assert _verdict(Replace(CODE), queued=QUEUED, replace="block") == "no_op"


@pytest.mark.parametrize(
    ("code", "at"),
    [
        ('for p in ["a", "b"]:\n    fs.read(path=p)\n', 0),
        ('for p in ["a", "b"]:\n    fs.read(path=p)\n', 1),
        ('if True:\n    fs.read(path="a")\n', 0),
        ('def f():\n    fs.read(path="a")\nf()\n', 0),
        ('x = [fs.read(path=p) for p in "ab"]\n', 1),
        ('x = fs.read(path="a") + fs.read(path="b")\n', 1),
    ],
)
def test_the_block_again_is_a_change_where_the_text_cannot_tell_what_is_left(
    code: str, at: int
) -> None:
    assert _verdict(Replace(code), code=code, at=at) == "replace"


def test_a_deep_rest_is_compared_as_a_flat_one_is() -> None:
    code = 'x = fs.read(path="a") + ' + " + ".join(['"x"'] * 2_000)
    assert _verdict(Replace(code), code=code) == "no_op"
    assert _verdict(Replace(code + ' + "y"'), code=code) == "replace"


@pytest.mark.parametrize(
    ("document", "operation"),
    [
        ({"operation": "keep"}, Keep()),
        ({"operation": "patch", "arguments": {}}, PatchArguments({})),
        ({"operation": "patch", "arguments": {"path": ["a", None]}}, None),
        ({"operation": "replace", "code": ""}, Replace("")),
        ({"code": "x = '\ud800'", "operation": "replace"}, Replace("x = '\ud800'")),
    ],
)
def test_an_operation_survives_a_round_trip(document: Any, operation: Operation | None) -> None:
    parsed = parse_operation(document)
    assert operation is None or parsed == operation
    assert as_json(parsed) == document


@pytest.mark.parametrize(
    "document",
    [
        None,
        "keep",
        [{"operation": "keep"}],
        {},
        {"operation": "Keep"},
        {"operation": ["keep"]},
        {"operation": "keep", "code": ""},
        {"operation": "patch"},
        {"operation": "patch", "arguments": None},
        {"operation": "patch", "arguments": [["path", "a"]]},
        {"operation": "patch", "arguments": {}, "code": "x"},
        {"operation": "patch", "arguments": {"head": math.nan}},
        {"operation": "patch", "arguments": {"head": nested(10_000)}},
        {"operation": "replace"},
        {"operation": "replace", "code": None},
        {"operation": "replace", "code": ["x = 1"]},
        {"operation": "replace", "code": "x", "arguments": {}},
        {"operation": "parameters", "arguments": {}},
    ],
    ids=range(18),
)
def test_what_is_no_single_operation_is_an_invalid_review(document: Any) -> None:
    with pytest.raises(InvalidReviewError):
        parse_operation(document)


_NEAR = st.fixed_dictionaries(
    {"operation": st.sampled_from(["keep", "patch", "replace"]) | VALUES},
    optional={"arguments": OBJECTS | VALUES, "code": TEXTS | VALUES, "": VALUES},
)


@given(VALUES | _NEAR)
def test_any_json_is_one_operation_or_an_invalid_review(document: Any) -> None:
    with suppress(InvalidReviewError):
        assert as_json(parse_operation(document)) == document
