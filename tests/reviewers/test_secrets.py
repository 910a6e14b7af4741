import logging
from pathlib import Path

import pytest

from controlscope.errors import InputError
from reviewers.endpoint import Endpoint
from reviewers.transport import EndpointError, open_client
from tests.reviewers.asking import HASTE, Retries, asking, environment, question
from tests.reviewers.model_server import HOST, KEY, body, cut, fails, raw, says, serving

pytestmark = pytest.mark.anyio


async def test_a_refused_key_says_nothing_of_the_key(tmp_path: Path) -> None:
    with serving(fails(401, f"Incorrect API key: {KEY[:10]}***{KEY[-4:]}")) as script:
        async with asking(script, tmp_path) as endpoint:
            with pytest.raises(EndpointError) as caught:
                await endpoint.ask(question(), "")
    assert str(caught.value) == "refused: HTTP 401: the key was not accepted"


async def _everything(endpoint: Endpoint) -> list[BaseException]:
    caught: list[BaseException] = []
    for number in range(9):
        try:
            await endpoint.ask(question(str(number)), "")
        except EndpointError as error:
            caught.append(error)
    return caught


async def test_neither_key_nor_host_reaches_a_file_an_exception_or_a_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    leak = f"Bearer {KEY} at http://{HOST}:80/v1 from {HOST.upper()}"
    answers = [
        says("the beginning", model=leak, system_fingerprint=leak, provider=leak),
        fails(400, leak, leak),
        fails(401, leak),
        body({"choices": leak}),
        body({"choices": [{"message": {"content": {leak: 1}}}]}),
        raw(leak.encode(), kind=leak.replace("\n", "")),
        *[cut] * HASTE.attempts,
        *[fails(500, leak)] * HASTE.attempts,
        says("the end"),
    ]
    retries = Retries()
    with serving(*answers) as script:
        async with asking(script, tmp_path, on_retry=retries) as endpoint:
            caught = await _everything(endpoint)
            files = [path.read_bytes().decode("latin-1") for path in tmp_path.iterdir()]
    assert len(caught) == 7
    for error in caught:
        caught += [one for one in (error.__cause__, error.__context__) if one is not None]
    texts = [f"{error} {error!r} {error.__dict__}" for error in caught]
    assert any("the beginning" in text and "the end" in text for text in files)
    for text in [*texts, *files, caplog.text, repr(retries.seen)]:
        assert KEY not in text
        assert HOST not in text.lower()


@pytest.mark.parametrize("key", [None, ""])
async def test_a_missing_key_is_said_before_anything_is_sent(
    key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if key is not None:
        monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(InputError, match="OPENAI_API_KEY is not set"):
        async with open_client():
            pass


async def test_a_placeholder_for_a_key_changes_no_reply(tmp_path: Path) -> None:
    with serving(says("x marks the spot")) as script:
        async with asking(script, tmp_path) as endpoint:
            with environment(script.url, "x"):
                async with open_client() as client:
                    keyless = Endpoint(
                        settings=endpoint.settings,
                        client=client,
                        cache=endpoint.cache,
                        run="run",
                        on_retry=Retries(),
                    )
                    assert (await keyless.ask(question(), "")).text == "x marks the spot"
