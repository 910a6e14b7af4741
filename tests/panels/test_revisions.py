"""A run that did something else than its reviews decided, or got more budget, is caught."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from controlscope.canonical import JsonObject
from controlscope.operations import ReplaceBoundary
from controlscope.run_log import Run
from panels.revisions import budget_check, operation_check
from tests.play import DONE, READ_A, READ_B, play

ALL = {"checked": 1, "equal": 1}
NONE = {"checked": 1, "equal": 0}
PATCH: JsonObject = {"operation": "patch", "arguments": {"path": "/workspace/b.txt"}}
REPLACE: JsonObject = {"operation": "replace", "code": DONE}
KEEP: JsonObject = {"operation": "keep"}
NO_OP: JsonObject = {"operation": "patch", "arguments": {"path": "/workspace/a.txt"}}
REJECTED: JsonObject = {"operation": "patch", "arguments": {"colour": "red"}}


def _reviewed(folder: Path, operation: JsonObject, boundary: ReplaceBoundary = "reply") -> Run:
    """Review the second call of a reply of two blocks once."""
    run, _ = play(
        folder,
        [[READ_A + READ_A, READ_B]],
        scope="full",
        decisions=[{"boundary": 1, **operation}],
        schedule="once:1",
        replace=boundary,
    )
    return run


def _altered(run: Run, kind: str, index: int, change: Callable[[JsonObject], JsonObject]) -> Run:
    """Return a run whose event of a kind, the given one of them, is another."""
    places = [n for n, event in enumerate(run.events) if event["kind"] == kind]
    events = list(run.events)
    events[places[index]] = {**events[places[index]], **change(events[places[index]])}
    return replace(run, events=tuple(events))


@pytest.mark.parametrize("operation", [KEEP, NO_OP, REJECTED, PATCH, REPLACE])
def test_a_run_did_what_its_review_decided(operation: JsonObject, tmp_path: Path) -> None:
    run = _reviewed(tmp_path, operation)
    assert operation_check(run) == ALL
    found = budget_check(run)
    assert found["equal"] == found["checked"] > 1


def test_a_replacement_at_the_boundary_block_leaves_the_queue(tmp_path: Path) -> None:
    run = _reviewed(tmp_path, REPLACE, "block")
    assert operation_check(run) == ALL
    cancelled = _altered(run, "continuation_replaced", 0, lambda _: {"cancelled": ["call_02"]})
    assert operation_check(cancelled) == NONE


def test_other_code_or_a_queue_that_stayed_is_caught(tmp_path: Path) -> None:
    run = _reviewed(tmp_path, REPLACE)
    other = _altered(run, "continuation_replaced", 0, lambda _: {"code": READ_B})
    stayed = _altered(run, "continuation_replaced", 0, lambda _: {"cancelled": []})
    assert operation_check(other) == NONE
    assert operation_check(stayed) == NONE


def test_a_call_that_came_before_the_replacement_is_caught(tmp_path: Path) -> None:
    run = _reviewed(tmp_path, REPLACE)
    at = next(n for n, event in enumerate(run.events) if event["kind"] == "continuation_replaced")
    call = next(event for event in run.events if event["kind"] == "call_started")
    slipped = replace(run, events=(*run.events[:at], call, *run.events[at:]))
    assert operation_check(slipped) == NONE


@pytest.mark.parametrize("operation", [KEEP, PATCH])
def test_a_call_with_other_arguments_than_decided_is_caught(
    operation: JsonObject, tmp_path: Path
) -> None:
    run = _reviewed(tmp_path, operation)
    other = _altered(run, "call_started", 1, lambda _: {"arguments": {"path": "/workspace/c"}})
    assert operation_check(other) == NONE


def test_a_budget_that_grew_or_was_passed_is_caught(tmp_path: Path) -> None:
    run = _reviewed(tmp_path, REPLACE)
    checked = budget_check(run)["checked"]
    for part in ("calls", "planning_turns"):

        def grown(event: JsonObject, part: str = part) -> JsonObject:
            return {"remaining": {**event["remaining"], part: event["remaining"][part] + 1}}

        found = budget_check(_altered(run, "boundary", -1, grown))
        assert found == {"checked": checked, "equal": checked - 1}
    small = {**run.header, "budgets": {**run.header["budgets"], "calls": 1}}
    assert budget_check(replace(run, header=small))["equal"] == 0
