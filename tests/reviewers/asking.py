"""An endpoint with its real client and a real cache, asking a scripted server."""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controlscope.canonical import JsonObject
from reviewers.endpoint import Endpoint, Patience
from reviewers.request_cache import RequestCache
from reviewers.settings import ModelSettings, chat_request
from reviewers.transport import open_client
from tests.reviewers.model_server import KEY, Script

HASTE = Patience(timeout=5.0, attempts=3, first_wait=0.01, longest_wait=0.3)
NAMES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "NO_PROXY")


@dataclass
class Retries:
    """What was reported of retries."""

    seen: list[tuple[str, int | None, float]] = field(default_factory=list)

    def __call__(self, kind: str, status: int | None, wait: float) -> None:
        self.seen.append((kind, status, wait))


@contextmanager
def environment(url: str, key: str = KEY) -> Iterator[None]:
    """Name the server and its key as a user does."""
    before = {name: os.environ.get(name) for name in NAMES}
    os.environ |= {"OPENAI_API_KEY": key, "OPENAI_BASE_URL": url, "NO_PROXY": "*"}
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@asynccontextmanager
async def asking(
    script: Script,
    folder: Path,
    *,
    run: str = "run",
    on_retry: Retries | None = None,
    patience: Patience = HASTE,
    **settings: Any,
) -> AsyncIterator[Endpoint]:
    """Open an endpoint for a script, with its cache in a folder."""
    folder.mkdir(exist_ok=True)
    with environment(script.url), RequestCache(folder / "requests.sqlite") as cache:
        async with open_client() as client:
            yield Endpoint(
                settings=ModelSettings(model="small", **settings),
                client=client,
                cache=cache,
                run=run,
                on_retry=on_retry or Retries(),
                patience=patience,
            )


def question(text: str = "Well?", **settings: Any) -> JsonObject:
    """Return a small request."""
    message = {"role": "user", "content": text}
    return chat_request(ModelSettings(model="small", **settings), [message])
