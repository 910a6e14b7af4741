"""The reviewers that do not try to help."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlscope.operations import (
    PERMITTED,
    SCOPES,
    Operation,
    PatchArguments,
    Replace,
    ReplaceBoundary,
    Scope,
)
from controlscope.roles import Reviewer
from reviewers.baselines import Overeager, Random
from tests.reviewers.stand_in import Run, now

FILES = {"a": "A", "b": "B"}
LOOP = """
names = ["a", "b"]
rows = []
for name in names:
    rows.append(fs.read_text_file(path=name))
end = fs.read_text_file(path="a")
"""


def _choices(reviewer: Reviewer, scope: Scope) -> list[Operation]:
    boundaries = Run(dict(FILES)).play(LOOP, "last = fs.read_text_file(path='b')").boundaries
    return [now(reviewer.review(boundary, scope)).operation for boundary in boundaries]


def test_overeager_never_gets_through_a_loop() -> None:
    run = Run(dict(FILES), Overeager(), budget=10).play(LOOP)
    assert run.over
    assert {call["arguments"]["path"] for call in run.calls} == {"a"}
    assert isinstance(run.operations[0], Replace)
    assert run.operations[0].code.startswith("for name in names:")


@pytest.mark.parametrize("replace", ["reply", "block"])
def test_overeager_lets_queued_blocks_run_once(replace: ReplaceBoundary) -> None:
    blocks = ["x = fs.read_text_file(path='a')\n", "y = fs.read_text_file(path='b')\n"]
    run = Run(dict(FILES), Overeager(replace), replace=replace).play(*blocks)
    assert run.variables() == {"x": "A", "y": "B"}
    assert [call["arguments"]["path"] for call in run.calls] == ["a", "b"]


@pytest.mark.parametrize("scope", SCOPES)
def test_no_baseline_leaves_its_scope(scope: Scope) -> None:
    reviewers: list[Reviewer] = [Overeager(), *map(Random, range(20))]
    for reviewer in reviewers:
        assert {type(step) for step in _choices(reviewer, scope)} <= PERMITTED[scope]


def test_random_does_everything_that_its_scope_permits() -> None:
    for scope in SCOPES:
        kinds = {type(step) for seed in range(20) for step in _choices(Random(seed), scope)}
        assert kinds == PERMITTED[scope]


@given(st.integers(0, 2**62))
@settings(max_examples=20, deadline=None)
def test_random_depends_on_the_seed_and_the_state_alone(seed: int) -> None:
    first = Random(seed)
    assert _choices(first, "full") == _choices(Random(seed), "full")
    assert _choices(first, "full") == _choices(first, "full")


def test_random_swaps_in_a_value_of_the_same_type_that_was_seen() -> None:
    patches = [
        step
        for seed in range(30)
        for step in _choices(Random(seed), "arg")
        if isinstance(step, PatchArguments)
    ]
    assert {path for step in patches for path in step.arguments.values()} == {"a", "b", "A", "B"}


def test_random_drops_or_repeats_the_statement_that_waits() -> None:
    first = [_choices(Random(seed), "full")[2] for seed in range(40)]
    codes = {step.code for step in first if isinstance(step, Replace)}
    queued = "last = fs.read_text_file(path='b')"
    end = "end = fs.read_text_file(path='a')"
    assert codes == {queued, f"{end}\n{end}\n{queued}"}
