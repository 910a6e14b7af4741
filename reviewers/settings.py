"""What a model is asked with: name, mode, limits, prices; and the form of a request."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from controlscope.budgets import Tokens
from controlscope.canonical import JsonObject, problem_of

__all__ = ["ModelSettings", "Prices", "ToolChoice", "chat_request", "cost_of", "function_tool"]

ToolChoice: TypeAlias = Literal["auto", "required"]

_OURS = frozenset(
    {
        "max_completion_tokens",
        "max_tokens",
        "messages",
        "model",
        "n",
        "response_format",
        "stream",
        "tool_choice",
        "tools",
    }
)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Prices(_Strict):
    """Prices per million tokens, in any one currency, of the provider's four parts.

    `input` is paid for what the provider's cache did not hold, `output` for what was not reasoning.
    """

    input: float = Field(ge=0)
    cached_input: float = Field(ge=0)
    output: float = Field(ge=0)
    reasoning: float = Field(ge=0)

    def cost(self, tokens: Tokens) -> float:
        """Return what these tokens cost; computed from totals, so that order does not matter."""
        return (
            self.input * (tokens.input - tokens.cached_input)
            + self.cached_input * tokens.cached_input
            + self.output * (tokens.output - tokens.reasoning)
            + self.reasoning * tokens.reasoning
        ) / 1_000_000


class ModelSettings(_Strict):
    """One model as a panel asks it (paper, table 5).

    `fast` and `reasoning` are what each mode adds to the request, in the provider's own words, such
    as `{"reasoning_effort": "high"}`; nothing else of a request depends on the mode. `protocol`:
    `tools` offers native tools, `json_schema` asks a model that cannot call tools for one object.
    `max_tokens` caps one reply; `cap` is the provider's name for it. `context` is how many tokens a
    request may have, where that is known: it bounds what can be spent and is not sent.
    """

    model: str = Field(min_length=1)
    mode: Literal["fast", "reasoning"] = "fast"
    fast: JsonObject = {"temperature": 0.7}
    reasoning: JsonObject = {}
    tool_choice: ToolChoice = "auto"
    protocol: Literal["tools", "json_schema"] = "tools"
    max_tokens: int = Field(default=16_384, ge=1)
    cap: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    context: int | None = Field(default=None, ge=1)
    prices: Prices | None = None

    @field_validator("fast", "reasoning")
    @classmethod
    def _leaves_the_rest_alone(cls, added: JsonObject) -> JsonObject:
        taken = sorted(_OURS & set(added))
        if taken:
            raise ValueError(f"{taken[0]} is no setting of a mode")
        problem = problem_of(added)
        if problem is not None:
            raise ValueError(problem)
        return added

    @model_validator(mode="after")
    def _reasoning_is_set(self) -> "ModelSettings":
        if self.mode == "reasoning" and not self.reasoning:
            raise ValueError(
                'mode = "reasoning" needs the provider\'s setting, '
                'such as reasoning = { reasoning_effort = "high" }'
            )
        return self


def chat_request(
    settings: ModelSettings,
    messages: Sequence[JsonObject],
    *,
    tools: Sequence[JsonObject] = (),
    tool_choice: ToolChoice = "auto",
    schema: JsonObject | None = None,
) -> JsonObject:
    """Build the whole body of a request, which is also what the cache knows it by."""
    request: JsonObject = {
        "model": settings.model,
        "messages": list(messages),
        settings.cap: settings.max_tokens,
        **(settings.fast if settings.mode == "fast" else settings.reasoning),
    }
    if tools:
        request |= {"tools": list(tools), "tool_choice": tool_choice}
    if schema is not None:
        form = {"name": "reply", "strict": True, "schema": schema}
        request["response_format"] = {"type": "json_schema", "json_schema": form}
    return request


def function_tool(name: str, description: str, parameters: Any) -> JsonObject:
    """Return a native tool in the request's form; `parameters` is a JSON schema."""
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


def cost_of(tokens: Tokens, prices: Prices | None) -> float | Literal["unpriced"]:
    """Return what tokens cost, or `unpriced` where no prices are given: an unknown is not 0."""
    return "unpriced" if prices is None else prices.cost(tokens)
