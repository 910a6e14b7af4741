"""Ask a model over any OpenAI-compatible endpoint: cached by exact request, retried with care."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from openai import AsyncOpenAI
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from controlscope.canonical import JsonObject, digest
from reviewers.limits import NO_LIMITS, Purse
from reviewers.request_cache import RequestCache
from reviewers.response import Response, stored
from reviewers.settings import ModelSettings
from reviewers.transport import EndpointError, EndpointErrorKind, exchange

__all__ = ["Endpoint", "OnRetry", "Patience"]

OnRetry: TypeAlias = Callable[[EndpointErrorKind, int | None, float], None]
"""Told of each retry: what failed, the HTTP status if one came, and the seconds to wait."""


@dataclass(frozen=True)
class Patience:
    """How long one attempt may take, how many there are, and how long to wait between them.

    Seconds. The wait doubles from `first_wait`; a Retry-After replaces it; neither exceeds
    `longest_wait`.
    """

    timeout: float = 600.0
    attempts: int = 6
    first_wait: float = 1.0
    longest_wait: float = 60.0


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One model as one run asks it.

    `run` names the run: a response that it paid for is fresh in it, also when it starts again and
    finds it in the cache, and reused in every other. The client may serve many runs. `purse` is
    what all that share the cache may spend together.
    """

    settings: ModelSettings
    client: AsyncOpenAI
    cache: RequestCache
    run: str
    on_retry: OnRetry
    patience: Patience = Patience()
    purse: Purse = NO_LIMITS

    async def ask(self, request: JsonObject, draw_key: str) -> Response:
        """Return the response to a whole request, sent at most once for each draw key.

        EndpointError where there is none, retries included; InfrastructureError where it would
        have to be paid for and a limit is reached. `usage.served` also holds the model
        asked for, the request's digest (the cache has its text) and the draw key.
        """
        document, payer = await self.cache.once(
            request, draw_key, self.run, lambda: self._send(request)
        )
        asked = {"asked": request["model"], "request": digest(request), "draw": draw_key}
        return stored(document, asked, reused=payer != self.run)

    async def _send(self, request: JsonObject) -> JsonObject:
        self.purse.check(self.cache.spent())
        # In the order it was built in: some servers let a model write a schema's keys in its order.
        body = json.dumps(request, separators=(",", ":"), allow_nan=False).encode("ascii")
        retrying = AsyncRetrying(
            stop=stop_after_attempt(self.patience.attempts),
            retry=retry_if_exception(_is_transient),
            wait=self._wait,
            before_sleep=self._report,
            reraise=True,
        )
        return await retrying(exchange, self.client, body, self.patience.timeout)

    def _wait(self, state: RetryCallState) -> float:
        wait = _failure(state).retry_after
        if wait is None:
            wait = self.patience.first_wait * 2.0 ** (state.attempt_number - 1)
        return min(wait, self.patience.longest_wait)

    def _report(self, state: RetryCallState) -> None:
        failure = _failure(state)
        self.on_retry(failure.kind, failure.status, state.upcoming_sleep)


def _is_transient(error: BaseException) -> bool:
    return isinstance(error, EndpointError) and error.is_transient


def _failure(state: RetryCallState) -> EndpointError:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, EndpointError)
    return error
