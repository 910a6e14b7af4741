from dataclasses import astuple

from hypothesis import given
from hypothesis import strategies as st

from controlscope.budgets import Budget, Tokens

TOKENS = st.builds(Tokens, *[st.integers(0, 10**12)] * 4)


def test_the_default_budget_is_the_papers() -> None:
    assert astuple(Budget()) == (100, 100, 1800.0, None, None)


def test_a_budget_without_a_call_limit_is_bounded_by_its_blocks_and_their_requests() -> None:
    budget = Budget(calls=None, planning_turns=None, blocks=40, requests_per_block=250)
    assert (budget.most_calls, budget.most_turns) == (10_000, 40)
    assert (Budget().most_calls, Budget(blocks=7).most_turns) == (100, 7)


@given(TOKENS, TOKENS)
def test_tokens_add_part_by_part(one: Tokens, other: Tokens) -> None:
    both = one + other
    assert both.input == one.input + other.input
    assert both.cached_input == one.cached_input + other.cached_input
    assert both.output == one.output + other.output
    assert both.reasoning == one.reasoning + other.reasoning
    assert one + Tokens() == one
