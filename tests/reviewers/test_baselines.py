"""The reviewers that do not try to help."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlscope.budgets import Contract
from controlscope.continuations import CallSite
from controlscope.operations import (
    SCOPES,
    EditParameters,
    Operation,
    PatchArguments,
    Replace,
    ReplaceBoundary,
    Scope,
    permitted,
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


def _choices(reviewer: Reviewer, scope: Scope, contract: Contract | None = None) -> list[Operation]:
    run = Run(dict(FILES), contract=contract)
    boundaries = run.play(LOOP, "last = fs.read_text_file(path='b')").boundaries
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


@pytest.mark.parametrize("contract", [None, "v2"])
@pytest.mark.parametrize("scope", SCOPES)
def test_no_baseline_leaves_its_scope(scope: Scope, contract: Contract | None) -> None:
    reviewers: list[Reviewer] = [Overeager(), *map(Random, range(20))]
    for reviewer in reviewers:
        kinds = {type(step) for step in _choices(reviewer, scope, contract)}
        assert kinds <= permitted(scope, contract)


def test_random_does_everything_that_its_scope_permits() -> None:
    contracts: tuple[Contract | None, ...] = (None, "v2")
    for contract in contracts:
        for scope in SCOPES:
            found = [_choices(Random(seed), scope, contract) for seed in range(20)]
            kinds = {type(step) for steps in found for step in steps}
            assert kinds == permitted(scope, contract)


def test_random_edits_a_later_call_of_the_block_whose_value_stands_in_the_text() -> None:
    edits = [
        step
        for seed in range(20)
        for step in _choices(Random(seed), "params", "v2")
        if isinstance(step, EditParameters)
    ]
    assert {site for step in edits for site in step.overrides} == {CallSite("read_text_file", 6, 6)}
    assert {path for step in edits for path in _values(step)} <= {"b", "A", "B"}


def _values(step: EditParameters) -> list[str]:
    return [arguments["path"] for arguments in step.overrides.values()]


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
