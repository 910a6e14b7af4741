"""The docker back end: the supervisor is process 1 of a container of an image built here, offline.

The container's own system-call filter is off: it would keep the interpreter from fixing its
addresses. The supervisor installs ours, the same as on every back end, before it forks a worker.
"""

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import anyio
import docker
from anyio import to_thread
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.models.containers import Container
from docker.types import LogConfig

from controlscope.errors import InfrastructureError
from executors.worker.boxes import image
from executors.worker.boxes.box import SUPERVISOR, Maker
from executors.worker.boxes.cgroups import MEMORY_BYTES, PROCESSES
from executors.worker.rootfs import ENVIRONMENT, root

__all__ = ["DOCKER"]

_CLOSE_SECONDS = 20.0
_CHUNK = 1 << 18
_FRAME = struct.Struct("!BxxxI")  # the stream's number, then the length of what follows
_OUTPUT = 1
_HINT = "start a Docker engine that this user may use (apt install docker.io; dockerd)"


class _Attached:
    """A container's standard streams on one socket: what it writes comes in the engine's frames."""

    def __init__(self, stream: socket.socket) -> None:
        self._socket = stream
        self._bytes = bytearray()
        self.errors = bytearray()
        self._socket.setblocking(False)

    def fileno(self) -> int:
        return self._socket.fileno()

    def settimeout(self, seconds: float) -> None:
        """Let `recv` wait, as long as this; TimeoutError after it."""
        self._socket.settimeout(seconds)

    def send(self, data: memoryview) -> int:
        return self._socket.send(data)

    def recv(self, size: int) -> bytes:
        """Return what the container wrote to its output; BlockingIOError until there is any."""
        while True:
            data = self._socket.recv(size)
            if not data:
                return b""
            self._bytes += data
            output = b"".join(self._whole())
            if output:
                return output

    def _whole(self) -> Iterator[bytes]:
        while len(self._bytes) >= _FRAME.size:
            stream, length = _FRAME.unpack_from(self._bytes)
            end = _FRAME.size + length
            if len(self._bytes) < end:
                return
            part = bytes(self._bytes[_FRAME.size : end])
            del self._bytes[:end]
            if stream == _OUTPUT:
                yield part
            else:
                self.errors += part

    def close(self) -> None:
        # The engine then closes the container's input, and the supervisor ends.
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class _DockerBox:
    """A running container and the client that it was made by."""

    def __init__(
        self, client: docker.DockerClient, container: Container, channel: _Attached
    ) -> None:
        self._client = client
        self._container = container
        self.channel = channel

    def complaint(self) -> str:
        """Kill the container; return what it wrote to its standard error."""
        try:
            while self.channel.recv(_CHUNK):
                continue
        except OSError:
            pass
        _remove(self._container)
        return self.channel.errors.decode(errors="replace").strip() or "it said nothing"

    async def close(self) -> None:
        """End the container and wait until the engine has removed it."""
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(self.end)

    def end(self) -> None:
        """Do what `close` does, from a thread that may wait."""
        try:
            self.channel.close()
            self._container.wait(timeout=_CLOSE_SECONDS, condition="removed")
        except (NotFound, OSError):
            # Gone already, or too slow to end by itself.
            _remove(self._container)
        finally:
            self._client.close()


async def _start() -> _DockerBox:
    return await to_thread.run_sync(partial(_launch, SUPERVISOR))


def _launch(code: str) -> _DockerBox:
    client = _client()
    try:
        container = _created(client, code)
    except DockerException as error:
        client.close()
        raise InfrastructureError("sandbox_start_failed", f"docker: {error}") from None
    try:
        wanted = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        stream: Any = container.attach_socket(params=wanted)
        # A descriptor of our own, as the stream is closed with the response that it belongs to.
        channel = _Attached(socket.socket(fileno=os.dup(stream.fileno())))
        stream._response.close()
        container.start()
    except DockerException as error:
        _remove(container)
        client.close()
        raise InfrastructureError("sandbox_start_failed", f"docker: {error}") from None
    return _DockerBox(client, container, channel)


def _created(client: docker.DockerClient, code: str) -> Container:
    try:
        return _container(client, image.name(), code)
    except ImageNotFound:
        # Before its first box, or removed by a controller of a newer version of this checkout.
        return _container(client, image.make(client), code)


def _container(client: docker.DockerClient, image_name: str, code: str) -> Container:
    return client.containers.create(
        image_name,
        [root().python, "-S", "-s", "-P", "-B", "-c", code],
        environment=dict(ENVIRONMENT),
        hostname="sandbox",
        user="65534:65534",
        working_dir="/",
        stdin_open=True,
        auto_remove=True,
        network_mode="none",
        ipc_mode="none",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges", "seccomp=unconfined"],
        mem_limit=MEMORY_BYTES,
        memswap_limit=MEMORY_BYTES,
        pids_limit=PROCESSES,
        # One worker of a box runs at a time.
        nano_cpus=1_000_000_000,
        log_config=LogConfig(type=LogConfig.types.NONE),
    )


def _remove(container: Container) -> None:
    try:
        container.remove(force=True)
    except (NotFound, APIError):
        # The engine is removing it at this moment.
        return


def _client() -> docker.DockerClient:
    """Connect to the engine that the environment names."""
    where = os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"
    try:
        if where.startswith("unix://"):
            # The client would leave its socket open where nobody answers.
            with socket.socket(socket.AF_UNIX) as trial:
                trial.connect(where.removeprefix("unix://"))
        return docker.from_env()
    except (OSError, DockerException) as error:
        raise InfrastructureError("sandbox_start_failed", f"{where}: {error}") from None


def _probe() -> str | None:
    """Run a box as a run would have it; return None where it works, else what to do."""
    try:
        with closing(_client()) as client:
            client.ping()
        box = _launch("print('works')")
    except DockerException as error:
        return f"{error}; {_HINT}"
    except InfrastructureError as error:
        return f"{error.detail}; {_HINT}"
    try:
        box.channel.settimeout(_CLOSE_SECONDS)
        said = box.channel.recv(_CHUNK)
    except TimeoutError:
        said = b""
    finally:
        box.end()
    if said == b"works\n":
        return None
    errors = box.channel.errors.decode(errors="replace").strip()
    return f"{errors or 'a container says nothing'}; {_HINT}"


DOCKER = Maker("docker", _start, _probe, forks=True)
