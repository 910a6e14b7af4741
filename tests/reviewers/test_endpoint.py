import gzip
import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from controlscope.budgets import Tokens
from controlscope.canonical import digest
from reviewers.endpoint import Patience
from reviewers.response import Response
from reviewers.transport import MAX_REPLY_BYTES, EndpointError
from tests.reviewers.asking import HASTE, Retries, asking, question
from tests.reviewers.model_server import (
    KEY,
    Answer,
    Script,
    after,
    body,
    calls,
    cut,
    document,
    drips,
    fails,
    raw,
    says,
    serving,
)

pytestmark = pytest.mark.anyio

BAD_REPLIES = {
    "no JSON": raw(b"{"),
    "not an object": raw(b"[]"),
    "no choices": body(document("hi", choices=[])),
    "null choices": body(document("hi", choices=None)),
    "a choice without a message": body(document("hi", choices=[{"index": 0}])),
    "a call without a name": body(
        document("hi", choices=[{"message": {"tool_calls": [{"function": {"arguments": "{}"}}]}}])
    ),
    "arguments that are no text": body(
        document(
            choices=[{"message": {"tool_calls": [{"function": {"name": "a", "arguments": {}}}]}}]
        )
    ),
    "negative tokens": body(
        document("hi", usage={"prompt_tokens": -1, "completion_tokens": 1, "total_tokens": 0})
    ),
    "nested without end": raw(b"[" * 200_000),
    "no UTF-8": raw(b'{"choices": "\xff"}'),
    "an HTML page": raw(b"<html>", kind="text/html"),
    "JSON under another type": raw(json.dumps(document("hi")).encode(), kind="text/plain"),
    "compressed": raw(gzip.compress(json.dumps(document("hi")).encode()), Content_Encoding="gzip"),
    "nothing": raw(b""),
}


async def _ask(script: Script, folder: Path, retries: Retries | None = None) -> Response:
    async with asking(script, folder, on_retry=retries) as endpoint:
        return await endpoint.ask(question(), "")


async def _failure(
    script: Script, folder: Path, retries: Retries | None = None, patience: Patience = HASTE
) -> EndpointError:
    async with asking(script, folder, on_retry=retries, patience=patience) as endpoint:
        with pytest.raises(EndpointError) as caught:
            await endpoint.ask(question(), "")
        return caught.value


async def test_a_reply_is_read_with_its_tokens_and_who_served_it(tmp_path: Path) -> None:
    with serving(calls(("keep", {"problem": ""}), text="I see.")) as script:
        response = await _ask(script, tmp_path)
    assert response.text == "I see."
    assert [(call.name, call.arguments) for call in response.tool_calls] == [
        ("keep", '{"problem": ""}')
    ]
    assert response.finish_reason == "tool_calls"
    assert response.usage.tokens == Tokens(input=100, cached_input=60, output=20, reasoning=5)
    assert response.usage.served == {
        "asked": "small",
        "model": "small-2026-01-01",
        "provider": "Some Cloud",
        "fingerprint": "fp_1",
        "request": digest(question()),
        "draw": "",
    }
    assert not response.usage.reused


async def test_what_is_sent_is_the_request_in_the_order_it_was_built(tmp_path: Path) -> None:
    with serving(says("hi")) as script:
        await _ask(script, tmp_path)
    assert script.paths == ["/v1/chat/completions"]
    assert json.loads(script.bodies[0]) == question()
    assert list(json.loads(script.bodies[0])) == list(question())
    assert script.headers[0]["authorization"] == f"Bearer {KEY}"
    assert script.headers[0]["content-type"] == "application/json"
    assert script.headers[0]["accept-encoding"] == "identity"


async def test_a_lone_surrogate_can_be_sent(tmp_path: Path) -> None:
    with serving(says("hi")) as script:
        async with asking(script, tmp_path) as endpoint:
            await endpoint.ask(question("\ud800"), "")
    assert script.requests[0]["messages"][0]["content"] == "\ud800"


@pytest.mark.parametrize("name", BAD_REPLIES)
async def test_what_is_no_reply_is_one_kind_of_error_and_is_not_retried(
    name: str, tmp_path: Path
) -> None:
    retries = Retries()
    with serving(BAD_REPLIES[name]) as script:
        failure = await _failure(script, tmp_path, retries)
    assert failure.kind == "malformed"
    assert len(script.requests) == 1
    assert retries.seen == []


async def test_a_huge_reply_is_given_up_at_its_bound(tmp_path: Path) -> None:
    with serving(raw(b" " * (MAX_REPLY_BYTES + 1))) as script:
        failure = await _failure(script, tmp_path)
    assert failure.kind == "too_large"
    assert len(script.requests) == 1


async def test_a_huge_page_of_an_error_is_given_up_too(tmp_path: Path) -> None:
    page = b" " * (MAX_REPLY_BYTES + 1)
    with serving(lambda exchange: exchange.reply(page, 400)) as script:
        assert (await _failure(script, tmp_path)).kind == "too_large"


@pytest.mark.parametrize("status", [400, 404, 422])
async def test_a_refusal_is_not_retried(status: int, tmp_path: Path) -> None:
    retries = Retries()
    with serving(fails(status, "no such model")) as script:
        failure = await _failure(script, tmp_path, retries)
    assert (failure.kind, failure.status) == ("refused", status)
    assert str(failure) == f"refused: HTTP {status}: no such model"
    assert len(script.requests) == 1
    assert retries.seen == []


@pytest.mark.parametrize(
    "answer",
    [
        fails(400, "whatever", "context_length_exceeded"),
        fails(400, "This model's maximum context length is 8192 tokens."),
        fails(400, "the request exceeds the available context size, try increasing it"),
        fails(400, "prompt is too long: 210000 tokens > 200000 maximum"),
        fails(413, "The input token count exceeds the maximum"),
    ],
)
async def test_a_request_that_is_too_long_is_told_from_other_refusals(
    answer: Answer, tmp_path: Path
) -> None:
    with serving(answer) as script:
        failure = await _failure(script, tmp_path)
    assert failure.kind == "context_limit"
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    ("first", "kind", "status"),
    [
        (fails(429), "rate_limit", 429),
        (fails(408), "timeout", 408),
        (fails(500), "server", 500),
        (fails(503), "server", 503),
        (cut, "connection", None),
    ],
)
async def test_what_may_pass_is_retried_and_reported(
    first: Answer, kind: str, status: int | None, tmp_path: Path
) -> None:
    retries = Retries()
    with serving(first, first, says("hi")) as script:
        response = await _ask(script, tmp_path, retries)
    assert response.text == "hi"
    assert script.bodies[0] == script.bodies[1] == script.bodies[2]
    assert retries.seen == [(kind, status, 0.01), (kind, status, 0.02)]


async def test_retries_run_out(tmp_path: Path) -> None:
    retries = Retries()
    with serving(fails(500, "down")) as script:
        failure = await _failure(script, tmp_path, retries)
    assert str(failure) == "server: HTTP 500: down"
    assert len(script.requests) == 3
    assert len(retries.seen) == 2


async def test_a_retry_after_in_seconds_is_honoured_up_to_a_cap(tmp_path: Path) -> None:
    retries = Retries()
    with serving(
        fails(429, Retry_After="0.05"), fails(429, Retry_After="86400"), says("hi")
    ) as script:
        await _ask(script, tmp_path, retries)
    assert retries.seen == [("rate_limit", 429, 0.05), ("rate_limit", 429, 0.3)]


@pytest.mark.parametrize("header", ["soon", "Mon, 99 Jan 2026 00:00:00 GMT", "-1", "1e9", ""])
async def test_a_retry_after_that_says_nothing_is_passed_over(header: str, tmp_path: Path) -> None:
    assert await _wait_after(header, tmp_path) == 0.01


@pytest.mark.parametrize(("hours", "wait"), [(1, 0.3), (-1, 0.0)])
async def test_a_retry_after_may_be_a_date(hours: int, wait: float, tmp_path: Path) -> None:
    date = datetime.now(UTC) + timedelta(hours=hours)
    assert await _wait_after(format_datetime(date, usegmt=True), tmp_path) == wait


async def _wait_after(header: str, folder: Path) -> float:
    retries = Retries()
    with serving(fails(503, Retry_After=header), says("hi")) as script:
        await _ask(script, folder, retries)
    assert [(kind, status) for kind, status, _ in retries.seen] == [("server", 503)]
    return retries.seen[0][2]


@pytest.mark.parametrize("answer", [after(1.0, says("late")), drips])
async def test_a_reply_that_takes_too_long_is_a_time_out(answer: Answer, tmp_path: Path) -> None:
    retries = Retries()
    patience = Patience(timeout=0.2, attempts=2, first_wait=0.01)
    with serving(answer) as script:
        failure = await _failure(script, tmp_path, retries, patience)
    assert str(failure) == "timeout: no reply within 0.2 seconds"
    assert len(script.requests) == 2
    assert retries.seen == [("timeout", None, 0.01)]


async def test_a_server_that_is_not_there_is_a_connection_error(tmp_path: Path) -> None:
    with serving(says("hi")) as script:
        pass
    retries = Retries()
    failure = await _failure(script, tmp_path, retries)
    assert failure.kind == "connection"
    assert [kind for kind, _, _ in retries.seen] == ["connection", "connection"]


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 2}, Tokens(9, 0, 2, 0)),
        (
            {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 4},
            Tokens(9, 4, 2, 0),
        ),
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 2,
                "total_tokens": 18,
                "completion_tokens_details": {"reasoning_tokens": 7},
            },
            Tokens(9, 0, 9, 7),
        ),
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 8,
                "total_tokens": 17,
                "completion_tokens_details": {"reasoning_tokens": 7},
            },
            Tokens(9, 0, 8, 7),
        ),
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 8,
                "prompt_tokens_details": None,
                "completion_tokens_details": {"reasoning_tokens": None},
            },
            Tokens(9, 0, 8, 0),
        ),
    ],
)
async def test_tokens_are_read_as_different_providers_count_them(
    usage: dict[str, object], tokens: Tokens, tmp_path: Path
) -> None:
    with serving(says("hi", usage=usage)) as script:
        assert (await _ask(script, tmp_path)).usage.tokens == tokens


async def test_tokens_that_are_not_reported_are_said_to_be_unknown(tmp_path: Path) -> None:
    with serving(says("hi", usage=None)) as script:
        usage = (await _ask(script, tmp_path)).usage
    assert usage.served["tokens"] == "not reported"
