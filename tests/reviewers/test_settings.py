import pytest
from pydantic import ValidationError

from controlscope.budgets import Tokens
from reviewers.settings import ModelSettings, Prices, chat_request, cost_of

MESSAGES = [{"role": "user", "content": "Well?"}]
HIGH = {"reasoning_effort": "high"}


def test_the_modes_differ_in_their_own_settings_alone() -> None:
    fast = ModelSettings(model="m", reasoning=HIGH)
    reasoning = ModelSettings(model="m", mode="reasoning", reasoning=HIGH)
    one, other = (chat_request(settings, MESSAGES) for settings in (fast, reasoning))
    assert one.pop("temperature") == 0.7
    assert other.pop("reasoning_effort") == "high"
    assert one == other == {"model": "m", "messages": MESSAGES, "max_tokens": 16_384}


def test_a_provider_may_have_its_own_name_for_the_cap() -> None:
    settings = ModelSettings(model="m", cap="max_completion_tokens", max_tokens=8, fast={})
    assert chat_request(settings, MESSAGES) == {
        "model": "m",
        "messages": MESSAGES,
        "max_completion_tokens": 8,
    }


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"mode": "reasoning"}, "needs the provider's setting"),
        ({"fast": {"messages": []}}, "messages is no setting of a mode"),
        ({"reasoning": {"tools": []}}, "tools is no setting of a mode"),
        ({"fast": {"temperature": float("nan")}}, "no JSON form"),
        ({"max_tokens": 0}, "greater than or equal to 1"),
        ({"max_tokens": "16384"}, "valid integer"),
        ({"temperature": 1.0}, "Extra inputs"),
        ({"tool_choice": "none"}, "'auto' or 'required'"),
        ({"prices": {"input": 1.0}}, "Field required"),
    ],
)
def test_wrong_settings_are_named(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        ModelSettings.model_validate({"model": "m", **wrong})


def test_each_part_of_the_tokens_is_paid_for_once() -> None:
    prices = Prices(input=1.0, cached_input=0.1, output=4.0, reasoning=8.0)
    tokens = Tokens(input=3_000_000, cached_input=2_000_000, output=1_500_000, reasoning=500_000)
    assert cost_of(tokens, prices) == pytest.approx(1.0 + 0.2 + 4.0 + 4.0)


def test_a_cost_without_prices_is_unknown_and_not_zero() -> None:
    assert cost_of(Tokens(), None) == "unpriced"
