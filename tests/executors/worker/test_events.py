import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlscope.boundaries import PendingCall, Variables
from controlscope.budgets import Refused
from controlscope.continuations import Position
from controlscope.roles import BlockEnded, Paused, WorkerEvent
from executors.worker.events import ViolationError, read_event

PAUSED: dict[str, Any] = {
    "seq": 3, "kind": "paused", "tool": "read", "arguments": {"path": "a"}, "position": [1, 0, 1,
    9],
    "block": {}, "module": {"x": [1, 2.5, None]}, "unexposed": ["y"], "printed": "out\n",
    "unknown": 1, "positional": 2,
}  # fmt: skip
ENDED: dict[str, Any] = {
    "seq": 3, "kind": "ended", "printed": "out\n", "error": None, "traceback": "",
    "output_truncated": False, "unknown": 0, "positional": 0,
}  # fmt: skip


def read(value: Any) -> WorkerEvent:
    payload = value if isinstance(value, bytes) else json.dumps(value).encode()
    return read_event(payload, 3, {"read", "write"}, 1000)


def test_honest_messages_are_read() -> None:
    assert read(PAUSED) == Paused(
        PendingCall("read", {"path": "a"}, Position(1, 0, 1, 9)),
        Variables({}, {"x": [1, 2.5, None]}, ("y",)),
        "out\n",
        Refused(unknown=1, positional=2),
    )
    assert read(ENDED) == BlockEnded("out\n")
    assert read(ENDED | {"error": "tool_error", "traceback": "text"}) == BlockEnded(
        "out\n", "tool_error", "text"
    )


DEEP: Any = []
for _ in range(70):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "change",
    [
        {"seq": 2}, {"seq": 4}, {"seq": True}, {"seq": 3.0}, {"seq": None}, {"kind": "ended"},
        {"kind": "ready"}, {"kind": None}, {"tool": "unlink"}, {"tool": 1}, {"arguments": []},
        {"arguments": None}, {"position": [1, 0, 1]}, {"position": [1, 0, 1, -1]},
        {"position": [1, 0, 1, 1.5]}, {"position": [1, 0, 1, 1 << 40]}, {"position": [True, 0, 1,
        1]},
        {"block": []}, {"module": None}, {"unexposed": [1]}, {"unexposed": {}}, {"printed": None},
        {"module": {"x": "y" * 5_000_000}}, {"unexposed": ["y" * 201]},
        {"unexposed": ["y"] * 10_002},
        {"printed": "x" * 1200}, {"printed": "\udcff"}, {"more": 1},
        {"module": {"x": float("nan")}},
        {"module": {"x": DEEP}}, {"unknown": -1}, {"unknown": True}, {"positional": 1 << 40},
        {"positional": None},
    ],
    ids=str,
)  # fmt: skip
def test_anything_off_in_a_pause_is_a_violation(change: dict[str, Any]) -> None:
    with pytest.raises(ViolationError):
        read(PAUSED | change)


@pytest.mark.parametrize(
    "change",
    [
        {"seq": 2}, {"kind": "paused"}, {"printed": 1}, {"printed": "x" * 1200}, {"error": "fine"},
        {"error": "wall_timeout"}, {"error": False}, {"traceback": None}, {"traceback": "x" * 9000},
        {"output_truncated": 0}, {"more": 1},
    ],
    ids=str,
)  # fmt: skip
def test_anything_off_in_an_end_is_a_violation(change: dict[str, Any]) -> None:
    with pytest.raises(ViolationError):
        read(ENDED | change)


@pytest.mark.parametrize("field", sorted(PAUSED))
def test_no_field_may_be_missing(field: str) -> None:
    with pytest.raises(ViolationError):
        read({name: value for name, value in PAUSED.items() if name != field})


@pytest.mark.parametrize(
    "payload",
    [
        b"", b"{", b"[]", b"null", b'"text"', b"\xff\xfe", b"{}", b"[" * 100_000,
        json.dumps(PAUSED).replace("2.5", "1e999").encode(),
        json.dumps(PAUSED).replace("2.5", "9" * 5000).encode(),
        json.dumps(PAUSED).replace("2.5", "-Infinity").encode(),
    ],
    ids=lambda payload: repr(payload[:20]),
)  # fmt: skip
def test_what_is_no_json_object_is_a_violation(payload: bytes) -> None:
    with pytest.raises(ViolationError):
        read(payload)


@given(st.binary())
def test_any_bytes_are_read_or_a_violation(payload: bytes) -> None:
    with pytest.raises(ViolationError):
        read(payload)
