from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlscope.boundaries import Boundary, History, PendingCall, Remaining, Variables
from controlscope.canonical import encode
from controlscope.continuations import Position, Site
from controlscope.tasks import Block
from tests.controlscope.json_values import OBJECTS
from tests.controlscope.pausing import boundary_at

CODE = 'x = 1\nfs.read(path="a")\n'
NOWHERE = Site(known=False, module_level=False, straight=False, unique=False)


def _boundary(**other: Any) -> Boundary:
    return boundary_at(CODE, variables=Variables({"y": 2}, {"x": 1}), printed="p", **other)


@pytest.mark.parametrize(
    "change",
    [
        {"history": History() + {"kind": "receipt", "block": "call_00", "content": "c"}},
        {"block": Block("call_01", CODE + "y = 2\n")},
        {"queued": (Block("call_02", "x = 2"),)},
        {"pending": PendingCall("write", {"path": "a"}, Position(2, 0, 2, 17))},
        {"pending": PendingCall("read", {"path": "b"}, Position(2, 0, 2, 17))},
        {"pending": PendingCall("read", {"path": "a"}, Position(3, 0, 3, 17))},
        {"variables": Variables({"y": 2}, {"x": 2})},
        {"variables": Variables({"y": 3}, {"x": 1})},
        {"variables": Variables({}, {"x": 1, "y": 2})},
        {"variables": Variables({"y": 2}, {"x": 1}, ("handle",))},
        {"printed": "P"},
        {"environment": "f" * 64},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_part_of_the_exposed_state_changes_its_key(change: dict[str, Any]) -> None:
    boundary = _boundary()
    assert replace(boundary, **change).state_key != boundary.state_key


@pytest.mark.parametrize(
    "change",
    [
        {"history": History().noted({"boundary": 0, "realized": "patch"})},
        {"decisions": ({"boundary": 0, "granted": "arg", "realized": "patch"},)},
        {"remaining": Remaining(calls=1, planning_turns=0)},
        {"index": 7},
        {"tools": {}},
        {"site": NOWHERE},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_is_no_state_leaves_the_key_alone(change: dict[str, Any]) -> None:
    boundary = _boundary()
    assert replace(boundary, **change).state_key == boundary.state_key


def test_the_order_of_variables_leaves_the_key_alone() -> None:
    one = boundary_at(CODE, variables=Variables({}, {"a": 1, "b": {"c": 2, "d": 3}}))
    other = boundary_at(CODE, variables=Variables({}, {"b": {"d": 3, "c": 2}, "a": 1}))
    assert one.state_key == other.state_key


@given(OBJECTS, OBJECTS)
def test_keys_are_equal_only_if_the_variables_are(one: Any, other: Any) -> None:
    keys = [boundary_at(CODE, variables=Variables({}, x)).state_key for x in (one, other)]
    assert (keys[0] == keys[1]) == (encode(one) == encode(other))


@given(st.lists(OBJECTS, max_size=5))
def test_a_history_has_one_key_for_the_same_entries_in_the_same_order(entries: Any) -> None:
    histories = []
    for _ in range(2):
        history = History()
        for entry in entries:
            history += entry
        histories.append(history)
    assert histories[0].key == histories[1].key
    assert histories[0].entries == tuple(entries)


def test_the_order_and_the_number_of_entries_change_a_historys_key() -> None:
    a, b = {"kind": "call", "n": 1}, {"kind": "call", "n": 2}
    keys = [History().key, (History() + a).key, (History() + b).key]
    keys += [(History() + a + b).key, (History() + b + a).key, (History() + a + a).key]
    assert len(set(keys)) == len(keys)


def test_adding_to_a_history_leaves_the_earlier_one_as_it_was() -> None:
    first = History() + {"kind": "reply"}
    key = first.key
    second = first + {"kind": "call"}
    assert (len(first.entries), first.key) == (1, key)
    assert len(second.entries) == 2


def test_a_pending_call_and_variables_are_logged_as_json() -> None:
    boundary = _boundary()
    assert boundary.pending.as_json() == {
        "tool": "read",
        "arguments": {"path": "a"},
        "position": [2, 0, 2, 17],
    }
    assert boundary.variables.as_json() == {
        "block": {"y": 2},
        "module": {"x": 1},
        "unexposed": [],
    }
