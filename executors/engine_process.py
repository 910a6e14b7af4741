"""A process that holds an engine: asked one thing at a time over a socket, killed where it is late.

A request and its answer are a line of JSON each. Such a process serves many episodes, can be copied
by forking itself, and is shut off from everything but a folder of its own.
"""

import json
import socket
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio

from controlscope.canonical import JsonObject
from controlscope.errors import InfrastructureError
from executors.confinement import confined

__all__ = ["EngineProcess", "EngineSpec"]

_CHUNK = 1 << 18
_GRACE_SECONDS = 2.0
_LAST_WORDS = "errors"
_LAST_WORDS_BYTES = 4096


@dataclass(frozen=True)
class EngineSpec:
    """How to run an engine's process.

    `command` is its command line, the number of its socket's descriptor follows; `binds` are the
    (host, inside) paths that it can read; it has a folder at `state`, all that it can write to, its
    own while it lives. `variables` join its environment.
    """

    command: tuple[str, ...]
    binds: tuple[tuple[Path, str], ...]
    state: str
    variables: Mapping[str, str] = field(default_factory=dict)


class EngineProcess:
    """One such process, or a copy of one. Whoever starts it closes it, in the main thread.

    InfrastructureError (environment_lost) wherever it is gone, or late, and then it is ended.
    """

    def __init__(
        self,
        channel: socket.socket,
        process: subprocess.Popen[bytes] | None = None,
        folder: tempfile.TemporaryDirectory[str] | None = None,
        errors: Path | None = None,
    ) -> None:
        self._channel = channel
        self._process = process
        self._folder = folder
        self._errors = errors
        self._bytes = b""
        channel.setblocking(False)

    @classmethod
    def start(cls, spec: EngineSpec) -> Self:
        """Start it; what it says first is the `answer` to nothing."""
        ours, theirs = socket.socketpair()
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        path = Path(folder.name)
        with theirs, (path / _LAST_WORDS).open("wb") as errors:
            command, _ = confined(spec, path)
            process = subprocess.Popen(
                [*command, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                pass_fds=[theirs.fileno()],
                env={},
                start_new_session=True,
            )
        return cls(ours, process, folder, path / _LAST_WORDS)

    @property
    def alive(self) -> bool:
        """Whether what was started still runs; of a copy nothing is known."""
        return self._process is None or self._process.poll() is None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    async def copied(self, seconds: float) -> Self:
        """Let it fork itself as it stands; the copy is asked by a socket of its own."""
        ours, theirs = socket.socketpair()
        copy = type(self)(ours, errors=self._errors)
        with theirs:
            try:
                socket.send_fds(self._channel, [b'{"fork": true}\n'], [theirs.fileno()])
            except OSError as error:
                copy.close()
                raise self._lost(str(error)) from None
        await copy.answer(seconds)
        return copy

    async def ask(self, request: JsonObject, seconds: float) -> JsonObject:
        """Send a request and return its answer."""
        data = memoryview(json.dumps(request).encode() + b"\n")
        while data:
            try:
                data = data[self._channel.send(data) :]
            except BlockingIOError:
                await anyio.wait_writable(self._channel)
            except OSError as error:
                raise self._lost(str(error)) from None
        return await self.answer(seconds)

    async def answer(self, seconds: float) -> JsonObject:
        """Return the next answer, waiting so many seconds at most."""
        try:
            with anyio.fail_after(seconds):
                while b"\n" not in self._bytes:
                    await anyio.wait_readable(self._channel)
                    data = self._channel.recv(_CHUNK)
                    if not data:
                        raise self._lost("its process ended")
                    self._bytes += data
        except TimeoutError:
            raise self._lost(f"it did not answer within {seconds:g} seconds") from None
        except OSError as error:
            raise self._lost(str(error)) from None
        line, self._bytes = self._bytes.split(b"\n", 1)
        try:
            value: JsonObject = json.loads(line)
        except ValueError:
            raise self._lost("it answered with no JSON") from None
        return value

    def close(self) -> None:
        """End it with all that it started; a copy ends with its socket."""
        self._channel.close()
        if self._process is not None:
            # What keeps it ends all else by this; a kill would leave that to the kernel's order.
            self._process.terminate()
            try:
                self._process.wait(_GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._folder is not None:
            self._folder.cleanup()

    def _lost(self, why: str) -> InfrastructureError:
        said = ""
        if self._errors is not None and self._errors.exists():
            errors = self._errors.read_bytes()
            said = errors[-_LAST_WORDS_BYTES:].decode(errors="replace").strip()
        self.close()
        detail = f"the engine: {why}" + (f"; its last words: {said}" if said else "")
        return InfrastructureError("environment_lost", detail)
