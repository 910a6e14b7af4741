"""What a provider's reply says, read out of the bytes that came back."""

import json
from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from controlscope.budgets import Tokens, Usage
from controlscope.canonical import JsonObject

__all__ = ["MalformedError", "Response", "ToolCall", "read_reply", "stored"]


class MalformedError(ValueError):
    """What came back is no reply to a chat request."""


@dataclass(frozen=True)
class ToolCall:
    """One tool call of a reply; `arguments` is text as the model wrote it, JSON or not."""

    name: str
    arguments: str


@dataclass(frozen=True)
class Response:
    """One reply of a model. `finish_reason` is the provider's word, `length` where it was cut."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    finish_reason: str
    usage: Usage

    @property
    def cut_off(self) -> bool:
        """Whether the cap on tokens ended the reply."""
        return self.finish_reason == "length"


class _Read(BaseModel):
    # Fields that no one here reads may hold whatever a provider likes.
    model_config = ConfigDict(extra="ignore", strict=True)


class _Function(_Read):
    name: str
    arguments: str


class _Call(_Read):
    function: _Function


class _Message(_Read):
    content: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(_Read):
    message: _Message
    finish_reason: str | None = None


# What a run's tokens add up to must stay exact in every JSON reader.
_Count = Annotated[int, Field(ge=0, le=2**40)]


class _InputDetails(_Read):
    cached_tokens: _Count | None = None


class _OutputDetails(_Read):
    reasoning_tokens: _Count | None = None


class _Usage(_Read):
    prompt_tokens: _Count
    completion_tokens: _Count
    total_tokens: _Count | None = None
    prompt_tokens_details: _InputDetails | None = None
    completion_tokens_details: _OutputDetails | None = None
    prompt_cache_hit_tokens: _Count | None = None

    def tokens(self) -> Tokens:
        """Return the counts, where `cached_input` and `reasoning` are parts of the totals."""
        details = self.prompt_tokens_details
        cached = (details and details.cached_tokens) or self.prompt_cache_hit_tokens or 0
        reasoned = self.completion_tokens_details
        reasoning = (reasoned and reasoned.reasoning_tokens) or 0
        output = self.completion_tokens
        # Some providers count reasoning beside the output, as their own total shows.
        if self.total_tokens == self.prompt_tokens + output + reasoning or reasoning > output:
            output += reasoning
        return Tokens(self.prompt_tokens, min(cached, self.prompt_tokens), output, reasoning)


def _some(choices: list[_Choice]) -> list[_Choice]:
    if not choices:
        raise ValueError("it has no choices")
    return choices


class _Reply(_Read):
    choices: Annotated[list[_Choice], AfterValidator(_some)]
    model: str | None = None
    provider: str | None = None
    system_fingerprint: str | None = None
    usage: _Usage | None = None


def read_reply(body: bytes) -> JsonObject:
    """Read a reply into the document that is stored and that `stored` turns into a Response.

    `served` names the model, provider and fingerprint as the reply does; its `tokens` says where a
    provider did not report them, since an unknown is not 0. MalformedError names what is wrong.
    """
    try:
        reply = _Reply.model_validate(json.loads(body))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise MalformedError(f"{where}: {first['msg']}" if where else first["msg"]) from None
    except (ValueError, RecursionError):
        raise MalformedError("it is not JSON") from None
    choice = reply.choices[0]
    served: JsonObject = {
        "model": reply.model,
        "provider": reply.provider,
        "fingerprint": reply.system_fingerprint,
    }
    if reply.usage is None:
        served["tokens"] = "not reported"
    return {
        "text": choice.message.content or "",
        "tool_calls": [
            {"name": call.function.name, "arguments": call.function.arguments}
            for call in choice.message.tool_calls or ()
        ],
        "finish_reason": choice.finish_reason or "",
        "tokens": asdict(reply.usage.tokens() if reply.usage else Tokens()),
        "served": served,
    }


def stored(document: JsonObject, asked: JsonObject, *, reused: bool) -> Response:
    """Return the response of a stored document.

    `asked` joins what is logged of who served it; `reused` tells that our own cache gave it.
    """
    served = {**asked, **document["served"]}
    return Response(
        text=document["text"],
        tool_calls=tuple(ToolCall(**call) for call in document["tool_calls"]),
        finish_reason=document["finish_reason"],
        usage=Usage(Tokens(**document["tokens"]), served, reused),
    )
