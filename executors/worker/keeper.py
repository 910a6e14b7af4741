"""Keeps a tool server that no namespace surrounds, and ends with it all that it has started.

Standard library only. The keeper adopts what the server's processes leave behind, and says yes to
each fork that the kernel asks about. At the end it answers no more: nothing can be added to what is
there, and that is killed to the last.
"""

import os
import select
import signal
import socket
from collections.abc import Callable
from typing import NoReturn

from executors.worker import forking, seccomp

__all__ = ["keep"]

_OUTPUT = 1


def keep(confine: Callable[[], int | None], run: Callable[[], NoReturn]) -> NoReturn:
    """Run a server as a child, and end as it does; it lives no longer than the controller.

    The child calls `confine`, which gives the descriptor that the kernel asks through, and then
    `run`. SIGTERM ends the server and all below it; so does the end of the controller.
    """
    seccomp.adopt_orphans()
    ours, theirs = socket.socketpair()
    news, told = os.pipe()
    for end in (news, told):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(told)
    for number in (signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, _note)
    seccomp.die_with_parent(signal.SIGTERM)
    server = os.fork()
    if server == 0:
        _become_server(theirs, confine, run)
    theirs.close()
    try:
        _, listener = forking.receive(ours, 1)
    except OSError:
        listener = None  # it is ending, and is waited for below
    status = _serve(server, news, listener)
    if listener is not None:
        os.close(listener)
    _end_all()
    os._exit(status)


def _note(*_: object) -> None:
    """The number is written to the pipe."""


def _become_server(
    channel: socket.socket, confine: Callable[[], int | None], run: Callable[[], NoReturn]
) -> NoReturn:
    try:
        signal.set_wakeup_fd(-1)
        # Python ignores two of them, which what it executes would inherit.
        for number in (signal.SIGTERM, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        seccomp.die_with_parent(signal.SIGKILL)
        listener = confine()
        if listener is None:
            channel.sendall(b"-")
        else:
            forking.send_descriptor(channel, b"+", listener)
            os.close(listener)
        run()
    except OSError as error:
        os.write(2, f"{error}\n".encode(errors="replace"))
    finally:
        os._exit(127)


def _serve(server: int, news: int, listener: int | None) -> int:
    """Answer and wait until the server ends or must; return the status to end with."""
    # The server alone reads what is sent to it.
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    poll = select.poll()
    poll.register(news, select.POLLIN)
    # An error where nobody is left to read, should the controller have ended before we could ask
    # for a signal at its end.
    poll.register(_OUTPUT, 0)
    if listener is not None:
        poll.register(listener, select.POLLIN)
    while True:
        ready = dict(poll.poll())
        if ready.get(_OUTPUT, 0) & select.POLLERR:
            return 128 + signal.SIGTERM
        if listener is not None and listener in ready:
            if ready[listener] & select.POLLIN:
                forking.answer(listener, lambda *_: True)
            else:
                poll.unregister(listener)  # nobody is left to ask
        if news in ready:
            numbers = os.read(news, 4096)
            if signal.SIGTERM in numbers:
                return 128 + signal.SIGTERM
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == server:
                    code = os.waitstatus_to_exitcode(ended[1])
                    return code if code >= 0 else 128 - code


def _end_all() -> None:
    """Kill child after child; those of a dead one become ours."""
    while True:
        for pid in _children():
            # Not yet waited for, so that its number is nobody else's.
            os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> list[int]:
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdecimal():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                    stat = file.read()
            except OSError:
                continue  # it has ended
            if int(stat.rpartition(b")")[2].split()[1]) == os.getpid():
                found.append(int(name))
    return found
