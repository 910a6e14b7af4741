"""A stdio transport for `mcp.Client` that stays linear in a reply's size and bounds it."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from typing import TypeAlias

import anyio
from anyio.abc import ByteReceiveStream, Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
    RequestId,
    jsonrpc_message_adapter,
)

__all__ = ["MAX_REPLY_BYTES", "StdioServer", "lines"]

MAX_REPLY_BYTES = 8 * 1024 * 1024
"""Longest reply line that is parsed; a longer one is read away and becomes an error answer."""

_GRACE_SECONDS = 2.0
_END_SECONDS = 5.0
_LAST_WORDS_SECONDS = 1.0
_LAST_WORDS_BYTES = 4096

_FromServer: TypeAlias = SessionMessage | Exception
_Streams: TypeAlias = tuple[
    MemoryObjectReceiveStream[_FromServer], MemoryObjectSendStream[SessionMessage]
]


async def lines(chunks: ByteReceiveStream, limit: int) -> AsyncGenerator[bytes | int, None]:
    """Cut a byte stream at newlines in linear time; an unfinished last line is dropped.

    A line longer than `limit` bytes is never held: its length is yielded in its place.
    """
    parts: list[bytes] = []
    size = 0
    async for chunk in chunks:
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            size += len(end)
            yield b"".join([*parts, end]) if size <= limit else size
            parts, size = [], 0
        size += len(rest)
        if size <= limit:
            parts.append(rest)
        else:
            parts.clear()


class StdioServer:
    """One server process and the streams to it.

    The client above must send one request at a time: an oversize reply is answered as an error
    to the request that was sent last.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._asked: RequestId | None = None
        self._stderr = b""
        self._silent = anyio.Event()

    @property
    def last_words(self) -> str:
        """The last 4 KB of what the server wrote to stderr."""
        return self._stderr.decode("utf-8", "replace").strip()

    @asynccontextmanager
    async def transport(self) -> AsyncIterator[_Streams]:
        """Start the server and yield its streams; on leaving, whatever the way, it is gone.

        Its stdin is closed, then it has two seconds to exit before it is ended; where an error or
        a cancellation is why we leave, it is ended at once. OSError where it cannot be started.
        Enter in the main thread: the server dies with the thread that made it.
        """
        process = await anyio.open_process(
            self._command, env={}, umask=0o022, start_new_session=True
        )
        try:
            to_session, from_server = anyio.create_memory_object_stream[_FromServer]()
            to_server, from_session = anyio.create_memory_object_stream[SessionMessage]()
            with to_session, from_server, to_server, from_session:
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._read, process, to_session)
                    tasks.start_soon(self._write, process, from_session)
                    tasks.start_soon(self._listen, process)
                    yield from_server, to_server
                    tasks.cancel_scope.cancel()
        except BaseException:
            _end(process)
            raise
        finally:
            with anyio.CancelScope(shield=True):
                await _stop(process)

    async def _read(
        self, process: Process, to_session: MemoryObjectSendStream[_FromServer]
    ) -> None:
        assert process.stdout is not None
        async with to_session, aclosing(lines(process.stdout, MAX_REPLY_BYTES)) as found:
            async for line in found:
                try:
                    await to_session.send(self._message(line))
                except anyio.BrokenResourceError:
                    return  # The session has left; leaving the transport stops the server.
            # The session learns of the end only when what the server said of it is here.
            with anyio.move_on_after(_LAST_WORDS_SECONDS):
                await self._silent.wait()

    def _message(self, line: bytes | int) -> _FromServer:
        if isinstance(line, bytes):
            try:
                return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
            except ValueError as error:
                return error
        problem = f"reply of {line} bytes exceeds the limit of {MAX_REPLY_BYTES} bytes"
        if self._asked is None:
            return ValueError(problem)
        answer = ErrorData(code=INTERNAL_ERROR, message=problem)
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=self._asked, error=answer))

    async def _write(
        self, process: Process, from_session: MemoryObjectReceiveStream[SessionMessage]
    ) -> None:
        assert process.stdin is not None
        async for item in from_session:
            if isinstance(item.message, JSONRPCRequest):
                self._asked = item.message.id
            line = item.message.model_dump_json(by_alias=True, exclude_unset=True) + "\n"
            try:
                await process.stdin.send(line.encode())
            except (OSError, anyio.BrokenResourceError):
                # A server that hears nothing is lost: its end is what tells the session.
                _end(process)
                return

    async def _listen(self, process: Process) -> None:
        assert process.stderr is not None
        async for chunk in process.stderr:
            self._stderr = (self._stderr + chunk)[-_LAST_WORDS_BYTES:]
        self._silent.set()


async def _stop(process: Process) -> None:
    assert process.stdin is not None
    await process.stdin.aclose()
    with anyio.move_on_after(_GRACE_SECONDS):
        await _ended(process)
    for end in (_end, Process.kill):
        if process.returncode is None:
            end(process)
            with anyio.move_on_after(_END_SECONDS):
                await _ended(process)
    await process.aclose()


async def _ended(process: Process) -> None:
    """Wait for a process; its pipes are emptied, since a full one would hold up its end."""
    assert process.stdout is not None
    assert process.stderr is not None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_drain, process.stdout)
        tasks.start_soon(_drain, process.stderr)
    await process.wait()


async def _drain(stream: ByteReceiveStream) -> None:
    async for _ in stream:
        pass


def _end(process: Process) -> None:
    # Not killed: it is what surrounds the server, which ends with all below it.
    with suppress(ProcessLookupError):
        process.terminate()
