"""Coordinated edits of arguments: their form, the sites that they may name, what they change."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlscope.boundaries import Boundary
from controlscope.continuations import CallSite
from controlscope.errors import InvalidReviewError, RejectedError
from controlscope.operations import (
    EditParameters,
    PatchArguments,
    Realized,
    as_json,
    edit,
    parse_operation,
    patch,
    realize,
)
from controlscope.parameters import merged, overrides_json, parse_overrides
from tests.controlscope.json_values import KEYS, OBJECTS, TEXTS
from tests.controlscope.pausing import boundary_at

CODE = """\
a = fs.read(path="a.txt", head=1)
b = fs.read(path="b.txt")
for name in ["c", "d"]:
    fs.write(path=name, content=b)
fs.write(path="e", content="x")
"""
A, B = CallSite("read", 1, 4), CallSite("read", 2, 4)
IN_LOOP, LAST = CallSite("write", 4, 4), CallSite("write", 5, 0)
SITES = st.builds(CallSite, TEXTS, st.integers(0, 99), st.integers(0, 99))
OVERRIDES = st.dictionaries(SITES, OBJECTS, max_size=4)
CLASHING = st.dictionaries(
    st.sampled_from([A, B]), st.dictionaries(st.sampled_from("xy"), st.integers(0, 2))
)
VALID = st.fixed_dictionaries(
    {},
    optional={
        B: st.fixed_dictionaries({}, optional={"path": st.text("ab"), "head": st.integers(1, 3)}),
        IN_LOOP: st.fixed_dictionaries({}, optional={"content": st.text("xy")}),
        LAST: st.fixed_dictionaries({}, optional={"path": st.text("ef"), "content": st.text("x")}),
    },
)


def _at(code: str = CODE, at: int = 1, **other: Any) -> Boundary:
    return boundary_at(code, at, contract="v2", **other)


def _verdict(overrides: dict[CallSite, Any], boundary: Boundary | None = None) -> Realized:
    return realize(EditParameters(overrides), boundary or _at(), "params", "reply")


def _after(boundary: Boundary, operation: EditParameters) -> Boundary:
    """Return the same pause with an edit in force."""
    overrides = edit(boundary, operation)
    own = overrides.get(boundary.pending.site, {})
    pending = replace(boundary.pending, arguments={**boundary.pending.arguments, **own})
    return replace(boundary, overrides=overrides, pending=pending)


@given(OVERRIDES)
def test_an_edit_is_read_back_from_its_json_form(overrides: dict[CallSite, Any]) -> None:
    operation = EditParameters(overrides)
    assert parse_operation(as_json(operation)) == operation
    assert parse_overrides(overrides_json(overrides)) == overrides


@given(CLASHING, CLASHING)
def test_of_one_argument_of_one_site_the_later_value_holds(
    one: dict[CallSite, Any], other: dict[CallSite, Any]
) -> None:
    both = merged(one, other)
    assert set(both) == {*one, *other}
    for site, arguments in both.items():
        assert arguments == {**one.get(site, {}), **other.get(site, {})}
    assert merged(both, other) == both


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"tool": "read", "line": 1, "column": 0},
        {"tool": "read", "line": True, "column": 0, "arguments": {}},
        {"tool": "read", "line": 1.0, "column": 0, "arguments": {}},
        {"tool": 1, "line": 1, "column": 0, "arguments": {}},
        {"tool": "read", "line": 1, "column": 0, "arguments": []},
        {"tool": "read", "line": 1, "column": 0, "arguments": {}, "code": "x"},
        "read",
        None,
    ],
)
def test_what_is_no_override_is_no_operation(entry: Any) -> None:
    with pytest.raises(InvalidReviewError, match="override 0 is not of"):
        parse_operation({"operation": "parameters", "overrides": [entry]})


def test_one_site_twice_and_other_keys_are_no_operation() -> None:
    entry = {"tool": "read", "line": 1, "column": 0, "arguments": {}}
    with pytest.raises(InvalidReviewError, match="override 1 names line 1, column 0 again"):
        parse_operation({"operation": "parameters", "overrides": [entry, entry]})
    others: list[dict[str, Any]] = [{"code": ""}, {"overrides": {}}]
    for extra in others:
        with pytest.raises(InvalidReviewError, match="an operation is one of"):
            parse_operation({"operation": "parameters", "overrides": [], **extra})


@pytest.mark.parametrize(
    ("overrides", "verdict"),
    [
        ({}, "no_op"),
        ({B: {}}, "no_op"),
        ({B: {"path": "b.txt"}}, "no_op"),
        ({B: {"head": 2}}, "parameters"),
        ({LAST: {"path": "e", "content": "x"}}, "no_op"),
        ({LAST: {"content": "y"}}, "parameters"),
        ({IN_LOOP: {"content": "x"}}, "parameters"),
        ({B: {"path": "b.txt"}, LAST: {"path": "f"}}, "parameters"),
    ],
)
def test_an_edit_is_effective_where_it_can_change_a_call(
    overrides: dict[CallSite, Any], verdict: str
) -> None:
    assert _verdict(overrides) == verdict


def test_in_a_loop_the_pending_values_are_no_proof_that_later_ones_stay() -> None:
    boundary = _at(at=2)
    assert boundary.pending.arguments["path"] == "c"
    assert _verdict({IN_LOOP: {"path": "c"}}, boundary) == "parameters"
    assert _verdict({IN_LOOP: {"path": "e"}}, boundary) == "parameters"


@pytest.mark.parametrize(
    ("overrides", "reason"),
    [
        ({A: {"head": 2}}, "line 1, column 4 is no call of read in the rest of the block"),
        ({CallSite("write", 2, 4): {"path": "x"}}, "is no call of write in the rest"),
        ({CallSite("read", 2, 5): {"path": "x"}}, "line 2, column 5 is no call of read"),
        ({CallSite("read", 99, 0): {}}, "line 99, column 0 is no call of read"),
        ({B: {"colour": "red"}}, "unknown argument 'colour'"),
        ({B: {"path": 7}}, "path: 7 is not of type 'string'"),
        ({LAST: {"colour": "red"}}, "line 5, column 0: unknown argument 'colour'"),
        ({LAST: {"content": 7}}, "line 5, column 0: content: 7 is not of type 'string'"),
        ({LAST: {"content": "\ud800"}}, "lone surrogate"),
        ({B: {"head": 2}, A: {"head": 2}}, "line 1, column 4 is no call of read"),
    ],
)
def test_an_edit_that_is_not_valid_in_the_rest_of_the_block_is_rejected_whole(
    overrides: dict[CallSite, Any], reason: str
) -> None:
    with pytest.raises(RejectedError) as refused:
        _verdict(overrides)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_parameter_that_encodes_a_program_is_outside_every_edit() -> None:
    code = 'fs.read(path="a")\nfs.run(path="a", script="1")\nfs.delete(path="a")\n'
    with pytest.raises(RejectedError, match="script encodes a program"):
        _verdict({CallSite("run", 2, 0): {"script": "2"}}, _at(code, 0))
    with pytest.raises(RejectedError, match="delete is not a tool"):
        _verdict({CallSite("delete", 3, 0): {"path": "b"}}, _at(code, 0))
    assert _verdict({CallSite("run", 2, 0): {"path": "b"}}, _at(code, 0)) == "parameters"


def test_a_call_that_is_made_through_another_name_is_a_site_only_while_it_waits() -> None:
    code = 'f = fs.read\nx = f(path="a")\ny = f(path="b")\n'
    assert _verdict({CallSite("read", 2, 4): {"path": "c"}}, _at(code, 0)) == "parameters"
    with pytest.raises(RejectedError, match="line 3, column 4 is no call of read"):
        _verdict({CallSite("read", 3, 4): {"path": "c"}}, _at(code, 0))


@given(VALID)
def test_an_edit_made_twice_is_an_edit_made_once(overrides: dict[CallSite, Any]) -> None:
    operation = EditParameters(overrides)
    once = _after(_at(), operation)
    assert realize(operation, once, "params", "reply") == "no_op"
    assert edit(once, operation) == once.overrides


@given(VALID)
def test_one_edit_is_one_edit_under_params_and_full(overrides: dict[CallSite, Any]) -> None:
    operation = EditParameters(overrides)
    under = [realize(operation, _at(), scope, "reply") for scope in ("params", "full")]
    assert under[0] == under[1]


@given(st.fixed_dictionaries({}, optional={"path": st.text("ab"), "head": st.integers(1, 3)}))
def test_an_edit_of_the_pending_call_alone_calls_what_the_patch_calls(
    arguments: dict[str, Any],
) -> None:
    boundary = _at()
    patched = patch(boundary, PatchArguments(arguments))
    assert _after(boundary, EditParameters({B: arguments})).pending == patched


@given(st.dictionaries(KEYS, st.integers(), min_size=1, max_size=2))
def test_whatever_names_and_values_are_not_the_tools_are_rejected(
    arguments: dict[str, Any],
) -> None:
    with pytest.raises(RejectedError):
        _verdict({LAST: arguments})


def test_overrides_in_force_are_part_of_the_state() -> None:
    boundary = _at()
    edited = replace(boundary, overrides={LAST: {"content": "y"}})
    assert boundary.state_key != edited.state_key
    assert edited.as_json()["overrides"] == [{**LAST._asdict(), "arguments": {"content": "y"}}]
