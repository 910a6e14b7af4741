"""Process 1 of a sandbox: forks workers, passes their messages on, and reports how they end.

Standard library only; never runs a program's code, and reads no worker's message. It holds the one
channel to the controller (its standard input and output). Its queues never block: a worker that
does not read, or floods, costs itself alone. A worker may send one message for each command.
"""

import gc
import os
import resource
import select
import signal
import socket
import sys
import time
from typing import Any, NoReturn

from executors.worker import frames, frozen, guest, seccomp

__all__ = ["GRACE_SECONDS", "main"]

GRACE_SECONDS = 1.0
"""How long a block that was told its time is over may go on before its worker is killed."""

_CHUNK = 1 << 18
_STACK_BYTES = 64 * 1024 * 1024


class _Worker:
    """A worker process as the supervisor knows it."""

    def __init__(self, number: int, pid: int, channel: socket.socket, seconds: float) -> None:
        self.number = number
        self.pid = pid
        self.pidfd = os.pidfd_open(pid)
        self.channel = channel
        self.seconds = seconds
        self.inbox = frames.Frames()
        self.outbox = bytearray()
        self.spent = 0.0
        self.running_since: float | None = time.monotonic()
        self.closed = False
        self.killed: str | None = None

    def kill(self, why: str) -> None:
        if self.killed is None:
            self.killed = why
            os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Its end of the channel is shut: it must be ending, and if not, soon will be."""
        self.closed = True
        self.spent, self.running_since = self.seconds, time.monotonic()

    def deadline(self) -> float | None:
        if self.running_since is None or self.killed is not None:
            return None
        return self.running_since + self.seconds + GRACE_SECONDS - self.spent


class _Supervisor:
    """The loop over one channel and its workers."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._frames = frames.Frames()
        self._outbox = bytearray()
        self._workers: dict[int, _Worker] = {}

    def run(self) -> NoReturn:
        """Serve until the controller closes the channel; the kernel then ends every worker."""
        self.tell({"kind": "ready"})
        while True:
            ready = self._wait()
            now = time.monotonic()
            if ready.get(self._incoming, 0):
                self._read_commands()
            if ready.get(self._outgoing, 0) & (select.POLLERR | select.POLLHUP):
                os._exit(0)
            for worker in list(self._workers.values()):
                self._serve_worker(worker, ready)
                deadline = worker.deadline()
                if deadline is not None and now > deadline:
                    worker.kill("protocol_violation" if worker.closed else "wall_timeout")
            self._flush()

    def tell(self, value: dict[str, Any]) -> None:
        """Queue a message of the supervisor's own for the controller."""
        self._outbox += frames.frame(frames.SUPERVISOR, frames.message(value))
        self._flush()

    def _wait(self) -> dict[int, int]:
        poll = select.poll()
        poll.register(self._incoming, select.POLLIN)
        poll.register(self._outgoing, select.POLLOUT if self._outbox else 0)
        deadlines = []
        for worker in self._workers.values():
            poll.register(worker.pidfd, select.POLLIN)
            if not worker.closed:
                wanted = select.POLLOUT if worker.outbox else 0
                poll.register(worker.channel, select.POLLIN | wanted)
            deadline = worker.deadline()
            if deadline is not None:
                deadlines.append(deadline)
        timeout = None
        if deadlines:
            timeout = max(0.0, min(deadlines) - time.monotonic()) * 1000 + 1
        return dict(poll.poll(timeout))

    def _read_commands(self) -> None:
        try:
            data = os.read(self._incoming, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            os._exit(0)
        self._frames.feed(data)
        while (found := self._frames.next()) is not None:
            number, payload = found
            if number == frames.SUPERVISOR:
                self._obey(frames.value_of(payload))
            elif number in self._workers:
                worker = self._workers[number]
                worker.outbox += frames.frame(number, payload)
                worker.running_since = time.monotonic()
                self._write_worker(worker)

    def _obey(self, command: dict[str, Any]) -> None:
        kind, number = command["kind"], command["worker"]
        if kind == "start":
            self._workers[number] = self._fork(command)
        elif number in self._workers:
            if kind == "block":
                self._workers[number].spent = 0.0
            elif kind == "kill":
                self._workers[number].kill("asked")

    def _fork(self, settings: dict[str, Any]) -> _Worker:
        ours, theirs = socket.socketpair()
        pid = _fork_process()
        if pid == 0:
            _become_worker(theirs, settings)
        theirs.close()
        ours.setblocking(False)
        return _Worker(settings["worker"], pid, ours, settings["block_seconds"])

    def _serve_worker(self, worker: _Worker, ready: dict[int, int]) -> None:
        events = ready.get(worker.channel.fileno(), 0)
        if events & select.POLLOUT:
            self._write_worker(worker)
        if events & (select.POLLIN | select.POLLHUP):
            self._read_worker(worker)
        if ready.get(worker.pidfd, 0):
            while self._read_worker(worker):
                pass
            self._bury(worker)

    def _write_worker(self, worker: _Worker) -> None:
        try:
            sent = worker.channel.send(worker.outbox)
        except BlockingIOError:
            return
        except OSError:
            sent = len(worker.outbox)  # it is ending; its exit will be reported
        del worker.outbox[:sent]

    def _read_worker(self, worker: _Worker) -> bool:
        try:
            data = worker.channel.recv(_CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            if not worker.closed:
                worker.close()
            return False
        if worker.killed == "protocol_violation":
            return True
        worker.inbox.feed(data)
        try:
            found = worker.inbox.next()
        except frames.FrameError:
            worker.kill("protocol_violation")
            return True
        if found is None:
            return True
        number, payload = found
        if number != worker.number or worker.running_since is None or worker.inbox:
            worker.kill("protocol_violation")
            return True
        worker.spent += time.monotonic() - worker.running_since
        worker.running_since = None
        self._outbox += frames.frame(number, payload)
        return True

    def _bury(self, worker: _Worker) -> None:
        _, status, usage = os.wait4(worker.pid, 0)
        os.close(worker.pidfd)
        worker.channel.close()
        del self._workers[worker.number]
        self.tell(
            {
                "kind": "exit",
                "worker": worker.number,
                "status": status,
                "killed": worker.killed,
                "max_rss_bytes": usage.ru_maxrss * 1024,
                "cpu_seconds": usage.ru_utime + usage.ru_stime,
            }
        )

    def _flush(self) -> None:
        if self._outbox:
            try:
                sent = os.write(self._outgoing, self._outbox)
            except BlockingIOError:
                return
            except OSError:
                os._exit(0)  # the controller is gone
            del self._outbox[:sent]


_fork_process = os.fork


def main() -> NoReturn:
    """Turn this process into the supervisor of its sandbox."""
    if frozen.fix_addresses():
        os.execv(sys.executable, sys.orig_argv)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    incoming, outgoing = os.dup(0), os.dup(1)
    for descriptor in (incoming, outgoing):
        os.set_blocking(descriptor, False)
    seccomp.hide_memory()
    seccomp.protect()
    frozen.refuse_concurrency()
    supervisor = _Supervisor(incoming, outgoing)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    gc.collect()
    gc.freeze()
    supervisor.run()


def _become_worker(channel: socket.socket, settings: dict[str, Any]) -> NoReturn:
    try:
        seccomp.die_with_parent()
        descriptor = channel.fileno()
        os.closerange(3, descriptor)
        os.closerange(descriptor + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        seccomp.confine()
        _limit(settings)
        sys.path.remove(os.environ["PYTHONPATH"])
        for name in set(os.environ) - {"LANG", "TZ"}:
            del os.environ[name]
        sys.argv = [""]
        frozen.freeze(settings["instant"])
        guest.serve(channel, settings)
    finally:
        os._exit(guest.EXIT_PROTOCOL)


def _limit(settings: dict[str, Any]) -> None:
    memory = settings["memory_bytes"] + guest.HEADROOM_BYTES
    cpu = settings["cpu_seconds"]
    limits = (
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        # Abandoned frames stay on the stack below a replacement.
        (resource.RLIMIT_STACK, _STACK_BYTES, _STACK_BYTES),
        (resource.RLIMIT_NPROC, 0, 0),
        (resource.RLIMIT_NOFILE, 64, 64),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
    )
    for limit, soft, hard in limits:
        # What the host allows may be less than what is asked for.
        _, most = resource.getrlimit(limit)
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(limit, (soft, hard))
