import sys
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from executors.mcp.transport import MAX_REPLY_BYTES, StdioServer, lines
from tests.processes import nothing_left_running

pytestmark = pytest.mark.anyio


class _Chunks(anyio.abc.ByteReceiveStream):
    """A byte stream that arrives in the given chunks."""

    def __init__(self, chunks: Sequence[bytes]) -> None:
        self._chunks = list(chunks)

    async def receive(self, max_bytes: int = 65536) -> bytes:
        if not self._chunks:
            raise anyio.EndOfStream
        return self._chunks.pop(0)

    async def aclose(self) -> None:
        self._chunks.clear()


async def _collect(found: AsyncIterator[bytes | int]) -> list[bytes | int]:
    return [line async for line in found]


@given(
    st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\n", b" ")), max_size=8),
    st.lists(st.integers(0, 100), max_size=20),
)
def test_lines_are_the_same_however_they_arrive_and_long_ones_are_lengths(
    wanted: list[bytes], cuts: list[int]
) -> None:
    data = b"".join(line + b"\n" for line in wanted) + b"unfinished"
    places = sorted({0, *(min(cut, len(data)) for cut in cuts), len(data)})
    chunks = [data[a:b] for a, b in pairwise(places)]
    found = anyio.run(_collect, lines(_Chunks(chunks), limit=6))
    assert found == [line if len(line) <= 6 else len(line) for line in wanted]


def _python(code: str) -> StdioServer:
    return StdioServer([sys.executable, "-c", code])


async def test_an_oversize_reply_answers_the_request_that_waits_for_it() -> None:
    server = _python(
        "import sys\n"
        "sys.stdin.readline()\n"
        f"print('x' * {MAX_REPLY_BYTES + 1}, flush=True)\n"
        "sys.stdin.readline()\n"
        'print(\'{"jsonrpc": "2.0", "id": 8, "result": {}}\', flush=True)\n'
    )
    with anyio.fail_after(10):
        async with server.transport() as (answers, requests):
            await requests.send(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=7, method="a")))
            first = await answers.receive()
            await requests.send(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=8, method="b")))
            second = await answers.receive()
    assert isinstance(first, SessionMessage)
    assert isinstance(first.message, JSONRPCError)
    assert first.message.id == 7
    assert first.message.error.message == (
        "reply of 8388609 bytes exceeds the limit of 8388608 bytes"
    )
    assert isinstance(second, SessionMessage)
    assert isinstance(second.message, JSONRPCResponse)
    assert second.message.id == 8


async def test_a_line_that_is_no_message_is_handed_on_as_an_error() -> None:
    async with _python("print('hello'); print('x' * 9000000)").transport() as (answers, _):
        assert isinstance(await answers.receive(), ValueError)
        too_long = await answers.receive()
        assert isinstance(too_long, ValueError)
        assert str(too_long) == "reply of 9000000 bytes exceeds the limit of 8388608 bytes"
        with pytest.raises(anyio.EndOfStream):
            await answers.receive()


async def test_a_server_that_hears_nothing_ends_the_session() -> None:
    server = _python("import os, time; os.close(0); print('deaf', flush=True); time.sleep(60)")
    async with server.transport() as (answers, requests):
        assert isinstance(await answers.receive(), ValueError)
        with anyio.fail_after(5):
            await requests.send(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=1, method="a")))
            with pytest.raises(anyio.EndOfStream):
                await answers.receive()


async def test_the_last_words_are_all_there_when_the_session_ends_and_are_bounded() -> None:
    server = _python("import sys; sys.stderr.write('a' * 100000 + 'the end')")
    async with server.transport() as (answers, _):
        with pytest.raises(anyio.EndOfStream):
            await answers.receive()
        assert server.last_words.endswith("aaathe end")
        assert len(server.last_words) == 4096


async def test_a_server_that_does_not_stop_by_itself_is_killed() -> None:
    code = "import time\nprint('up', flush=True)\nwhile True: print('x' * 1000); time.sleep(0.001)"
    with nothing_left_running() as started:
        async with _python(code).transport() as (answers, _):
            await answers.receive()
            assert started()
