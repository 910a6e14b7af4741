"""Process 1 of a sandbox: forks workers, passes their messages on, and reports how they end.

Standard library only; never runs a program's code, and reads no worker's message. It holds the one
channel to the controller (its standard input and output). Its queues never block: a worker that
does not read, or floods, costs itself alone. A worker may send one message for each command.
"""

import gc
import os
import select
import signal
import socket
import sys
import time
from typing import Any, NoReturn

from executors.worker import forking, frames, frozen, seccomp
from executors.worker.charges import Birth, Worker
from executors.worker.starting import become_worker

__all__ = ["main"]

_CHUNK = 1 << 18
_GATE_SECONDS = 5.0


class _Supervisor:
    """The loop over one channel and its workers."""

    def __init__(self, incoming: int, outgoing: int, copies: bool) -> None:
        self._copies = copies
        self._incoming = incoming
        self._outgoing = outgoing
        self._frames = frames.Frames()
        self._outbox = bytearray()
        self._workers: dict[int, Worker] = {}
        self._births: dict[int, Birth] = {}

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
            for gate in self._gates():
                if ready.get(gate.descriptor, 0) & select.POLLIN:
                    gate.answer()
            for number in list(self._births):
                self._serve_birth(number, ready)
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
        deadlines = [birth.deadline for birth in self._births.values()]
        for birth in self._births.values():
            poll.register(birth.channel, select.POLLIN)
        for gate in self._gates():
            poll.register(gate.descriptor, select.POLLIN)
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

    def _gates(self) -> set[forking.Gate]:
        return {worker.gate for worker in self._workers.values() if worker.gate is not None}

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
            elif kind == "fork":
                self._copy(self._workers[number], command["copy"], command["seq"])

    def _fork(self, settings: dict[str, Any]) -> Worker:
        ours, theirs = socket.socketpair()
        pid = _fork_process()
        if pid == 0:
            become_worker(theirs, settings, self._copies)
        theirs.close()
        ours.settimeout(_GATE_SECONDS)
        try:
            _, descriptor = forking.receive(ours, 1)
        except OSError:
            descriptor = None  # it is ending; its exit will be reported
        ours.setblocking(False)
        gate = None if descriptor is None else forking.Gate(descriptor)
        return Worker(settings["worker"], pid, ours, settings["block_seconds"], gate)

    def _copy(self, worker: Worker, number: int, sequence: int) -> None:
        """Ask a paused worker to clone itself as worker `number`, which then tells its pause."""
        if worker.gate is None or worker.running_since is not None or worker.outbox:
            self.tell({"kind": "unborn", "worker": number, "violation": False})
            return
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._births[number] = Birth(worker, ours)
        worker.gate.open_for(worker.pid)
        command = frames.message({"seq": sequence, "kind": "fork", "worker": number})
        with theirs:
            try:
                forking.send_descriptor(
                    worker.channel, frames.frame(worker.number, command), theirs.fileno()
                )
            except OSError:
                self._end_birth(number)

    def _serve_birth(self, number: int, ready: dict[int, int]) -> None:
        birth = self._births[number]
        original = birth.original
        if ready.get(birth.channel.fileno(), 0):
            pid = forking.sender(birth.channel)
            if pid is None:
                self._end_birth(number)
            elif pid in {worker.pid for worker in self._workers.values()}:
                self._end_all(number)
            else:
                copy = Worker(number, pid, birth.channel, original.seconds, original.gate)
                copy.spent = original.spent
                if original.gate is not None:
                    original.gate.shut()
                    original.gate.users += 1
                self._workers[number] = copy
                del self._births[number]
        elif time.monotonic() > birth.deadline:
            self._end_all(number)

    def _end_birth(self, number: int, *, violation: bool = False) -> None:
        birth = self._births.pop(number)
        birth.channel.close()
        if birth.original.gate is not None:
            birth.original.gate.shut()
        self.tell({"kind": "unborn", "worker": number, "violation": violation})

    def _end_all(self, number: int) -> None:
        """Some process was cloned and is not known: end whatever runs below."""
        for worker in self._workers.values():
            worker.killed = worker.killed or "protocol_violation"
        os.kill(-1, signal.SIGKILL)
        self._end_birth(number, violation=True)

    def _serve_worker(self, worker: Worker, ready: dict[int, int]) -> None:
        events = ready.get(worker.channel.fileno(), 0)
        if events & select.POLLOUT:
            self._write_worker(worker)
        if events & (select.POLLIN | select.POLLHUP):
            self._read_worker(worker)
        if ready.get(worker.pidfd, 0):
            while self._read_worker(worker):
                pass
            self._bury(worker)

    def _write_worker(self, worker: Worker) -> None:
        try:
            sent = worker.channel.send(worker.outbox)
        except BlockingIOError:
            return
        except OSError:
            sent = len(worker.outbox)  # it is ending; its exit will be reported
        del worker.outbox[:sent]

    def _read_worker(self, worker: Worker) -> bool:
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

    def _bury(self, worker: Worker) -> None:
        _, status, usage = os.wait4(worker.pid, 0)
        os.close(worker.pidfd)
        worker.channel.close()
        if worker.gate is not None:
            worker.gate.leave()
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


def main(*, copies: bool = True) -> NoReturn:
    """Turn this process into the supervisor of its sandbox.

    `copies`: a paused worker may be copied.
    """
    if frozen.fix_addresses():
        os.execv(sys.executable, sys.orig_argv)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    incoming, outgoing = os.dup(0), os.dup(1)
    for descriptor in (incoming, outgoing):
        os.set_blocking(descriptor, False)
    seccomp.hide_memory()
    seccomp.protect()
    frozen.refuse_concurrency()
    supervisor = _Supervisor(incoming, outgoing, copies)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    gc.collect()
    gc.freeze()
    supervisor.run()
