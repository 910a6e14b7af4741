"""One HTTP exchange with an OpenAI-compatible server, and every way in which it can go wrong.

Nothing that leaves this module holds the key, a header or the host's name.
"""

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal, TypeAlias

import httpx2
from openai import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncOpenAI,
    DefaultAsyncHttpxClient,
    OpenAIError,
)

from controlscope.canonical import JsonObject
from controlscope.errors import InputError
from reviewers.response import MalformedError, read_reply

__all__ = ["MAX_REPLY_BYTES", "EndpointError", "EndpointErrorKind", "exchange", "open_client"]

MAX_REPLY_BYTES = 8 * 1024 * 1024
"""Largest reply that is read: far above what a cap of 16,384 tokens can fill."""

EndpointErrorKind: TypeAlias = Literal[
    "connection",
    "context_limit",
    "malformed",
    "rate_limit",
    "refused",
    "server",
    "timeout",
    "too_large",
]
"""How an exchange failed. `context_limit`: refused because the request is too long for the model.
`malformed`: something came back that is no reply to a chat request."""

_CONTEXT_CODES = {"context_length_exceeded", "exceed_context_size_error"}
_CONTEXT_WORDS = re.compile(
    r"context (length|window|size|limit)|maximum context|(prompt|input) is too long|"
    r"too many (input )?tokens|token count exceeds",
    re.IGNORECASE,
)


class EndpointError(Exception):
    """An exchange that gave no reply.

    `status` is the HTTP status, where one came. `retry_after` is the number of seconds that the
    server asked to wait.
    """

    def __init__(
        self,
        kind: EndpointErrorKind,
        detail: str,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: EndpointErrorKind = kind
        self.status = status
        self.retry_after = retry_after

    @property
    def is_transient(self) -> bool:
        """Whether the same request may succeed later."""
        return self.kind in {"connection", "rate_limit", "server", "timeout"}


@asynccontextmanager
async def open_client() -> AsyncIterator[AsyncOpenAI]:
    """Open a client for the server that OPENAI_BASE_URL and OPENAI_API_KEY name.

    It never retries by itself. One serves all runs of a process. InputError without a key.
    """
    if not os.environ.get("OPENAI_API_KEY"):
        raise InputError(
            "OPENAI_API_KEY is not set: a model needs it, and OPENAI_BASE_URL where the server is "
            "not OpenAI's (any word will do for a server that asks for no key)"
        )
    for name in ("openai", "httpx2", "httpcore2"):
        # They log URLs and headers below this level.
        logging.getLogger(name).setLevel(logging.WARNING)
    http = DefaultAsyncHttpxClient(event_hooks={"response": [_bound]})
    async with AsyncOpenAI(max_retries=0, http_client=http) as client:
        yield client


class _Bounded(httpx2.AsyncByteStream):
    """A body that fails where it becomes larger than a reply can be."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > MAX_REPLY_BYTES:
                raise EndpointError("too_large", f"the reply exceeds {MAX_REPLY_BYTES} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity") != "identity":
        # We asked for none, and what a small body unpacks to has no bound.
        raise EndpointError("malformed", "the reply is compressed", response.status_code)
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Bounded(response.stream)


async def exchange(client: AsyncOpenAI, body: bytes, seconds: float) -> JsonObject:
    """Send a request's exact bytes once and return the document of the reply.

    EndpointError for whatever else happens within `seconds`, which limit the whole exchange.
    """
    result = await _outcome(client, body, seconds)
    if isinstance(result, EndpointError):
        # Raised where no other exception is being handled: its context would name the host.
        raise result
    return result


async def _outcome(client: AsyncOpenAI, body: bytes, seconds: float) -> JsonObject | EndpointError:
    try:
        async with asyncio.timeout(seconds):
            response = await client.post(
                "/chat/completions",
                cast_to=httpx2.Response,
                content=body,
                options={"headers": {"Accept-Encoding": "identity"}, "timeout": seconds},
            )
    except EndpointError as error:
        return EndpointError(error.kind, _detail(error), error.status)
    except (TimeoutError, APITimeoutError):
        return EndpointError("timeout", f"no reply within {seconds:g} seconds")
    except APIStatusError as error:
        return _refusal(client, error)
    except APIConnectionError as error:
        return EndpointError("connection", type(error.__cause__).__name__)
    except (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL) as error:
        return EndpointError("malformed", type(error).__name__)
    kind = response.headers.get("content-type", "")
    if "json" not in kind.partition(";")[0]:
        return EndpointError("malformed", "the reply's content type is not JSON", 200)
    try:
        document = read_reply(_without_key(client, response.content))
    except MalformedError as error:
        return EndpointError("malformed", _scrubbed(client, str(error)), 200)
    served = document["served"].items()
    document["served"] = {name: text and _scrubbed(client, text) for name, text in served}
    return document


def _detail(error: EndpointError) -> str:
    return str(error).removeprefix(f"{error.kind}: ")


def _refusal(client: AsyncOpenAI, error: APIStatusError) -> EndpointError:
    """Name an HTTP error; the server's own words, in which it may repeat secrets, are scrubbed."""
    status = error.status_code
    body = error.body if isinstance(error.body, dict) else {}
    words = body.get("message")
    said = _scrubbed(client, words) if isinstance(words, str) else ""
    codes = {body.get(name) for name in ("code", "type") if isinstance(body.get(name), str)}
    kind: EndpointErrorKind
    match status:
        case 401 | 403:
            # Servers repeat parts of the key here.
            return EndpointError("refused", f"HTTP {status}: the key was not accepted", status)
        case 400 | 413 if codes & _CONTEXT_CODES or _CONTEXT_WORDS.search(said):
            kind = "context_limit"
        case 408:
            kind = "timeout"
        case 429:
            kind = "rate_limit"
        case _:
            kind = "server" if status >= 500 else "refused"
    wait = _seconds(error.response.headers.get("retry-after", ""))
    return EndpointError(kind, f"HTTP {status}: {said}".rstrip(": "), status, wait)


def _seconds(header: str) -> float | None:
    """Read a Retry-After header: seconds, or a date."""
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", header, re.ASCII):
        return float(header)
    try:
        date = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


def _without_key(client: AsyncOpenAI, body: bytes) -> bytes:
    # Shorter ones are placeholders for servers that ask for no key.
    return body.replace(client.api_key.encode(), b"[key]") if len(client.api_key) >= 8 else body


def _scrubbed(client: AsyncOpenAI, text: str) -> str:
    text = _without_key(client, text.encode("utf-8", "replace")).decode()
    for secret in (client.base_url.host, client.organization, client.project):
        if secret:
            text = re.sub(re.escape(secret), "[…]", text, flags=re.IGNORECASE)
    return " ".join(text[:300].split())
