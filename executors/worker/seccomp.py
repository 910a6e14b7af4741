"""What the processes of a sandbox may ask of the kernel; standard library only.

`protect` is for the supervisor and all below it: what nobody needs. `confine` leaves a worker what
computing takes, and nothing else. `protect_server` is for a tool server that no namespace
surrounds.
"""

import signal
from collections.abc import Iterable

from executors.worker import bpf
from executors.worker.bpf import ALLOW, ARGUMENT_0, ARGUMENT_1, DENY, UNKNOWN, answer, on
from executors.worker.system_calls import (
    FORKS,
    LEFT_BY_LANDLOCK,
    NEWEST,
    OF_OTHERS,
    OF_THE_SYSTEM,
    OF_WORKERS,
    READ_PAST_LANDLOCK,
)

__all__ = [
    "adopt_orphans",
    "confine",
    "die_with_parent",
    "hide_memory",
    "protect",
    "protect_server",
]

_PR_SET_PDEATHSIG = 1
_PR_GET_DUMPABLE, _PR_SET_DUMPABLE = 3, 4
_PR_SET_NAME, _PR_GET_NAME = 15, 16
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_VMA = 0x53564D41  # names memory

_THREAD = 0x10000  # CLONE_THREAD
_NAMESPACES = 0x7E020080  # CLONE_NEW{TIME,NS,CGROUP,UTS,IPC,USER,PID,NET}
_AF_UNIX = 1
_STREAM, _KIND_OF_SOCKET = 1, 0xF

_CLONE, _CLONE3 = (56, 220), (435, 435)
_SOCKET, _SOCKETPAIR = (41, 198), (53, 199)
_PRLIMIT = (302, 261)
_PRCTL, _FCNTL, _IOCTL = (157, 167), (72, 25), (16, 29)

# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
_FCNTL_OF_WORKERS = (0, 1, 2, 3, 4, 1030)
# TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
_IOCTL_OF_WORKERS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# F_SETOWN, F_SETSIG, F_SETOWN_EX: whom the kernel signals when a descriptor is ready, and how.
# F_SETLEASE, F_NOTIFY: who opens a file has to wait, or is told on.
_FCNTL_OF_OTHERS = (8, 10, 15, 1024, 1026)
_FIOSETOWN, _SIOCSPGRP = 0x8901, 0x8902
_FS_IOC_SETFLAGS, _FS_IOC_FSSETXATTR = 0x40086602, 0x401C5820


def protect() -> None:
    """Forbid executing, tracing, mounting, namespaces and sockets beyond AF_UNIX, for good.

    OSError on an architecture that has no table here, or where the kernel refuses.
    """
    column = bpf.column()
    bpf.install(
        [
            *bpf.each(OF_THE_SYSTEM, DENY),
            on(_CLONE3[column], answer(UNKNOWN)),
            on(_CLONE[column], bpf.when_bits(ARGUMENT_0, _NAMESPACES, DENY)),
            *(
                on(numbers[column], bpf.unless(ARGUMENT_0, _AF_UNIX, DENY))
                for numbers in (_SOCKET, _SOCKETPAIR)
            ),
        ]
    )


def confine(*, copies: bool) -> int | None:
    """Refuse a worker all calls but those that computing takes, on itself alone, for good.

    No call that starts, signals or limits another process, that names what processes of a machine
    share, or that is counted for its user. Where `copies`, the kernel asks whether a clone may go
    on: return the descriptor that it asks through, for whoever is to refuse or allow. None where it
    is not, or where this kernel asks nobody: clones then fail.
    """
    column = bpf.column()

    def rules(ask: int) -> Iterable[bytes]:
        return [
            on(_CLONE[column], answer(ask)),
            # The C library falls back from clone3, whose flags no filter can read, to clone.
            on(_CLONE3[column], answer(UNKNOWN)),
            *bpf.each(OF_WORKERS, ALLOW),
            on(_PRLIMIT[column], bpf.when(ARGUMENT_0, (0,), ALLOW)),
            on(_FCNTL[column], bpf.when(ARGUMENT_1, _FCNTL_OF_WORKERS, ALLOW)),
            on(_IOCTL[column], bpf.when(ARGUMENT_1, _IOCTL_OF_WORKERS, ALLOW)),
            on(
                _PRCTL[column],
                bpf.when(
                    ARGUMENT_0, (_PR_GET_DUMPABLE, _PR_SET_NAME, _PR_GET_NAME, _PR_SET_VMA), ALLOW
                ),
            ),
            _only_stream_pairs(column),
            bpf.newer_than(NEWEST),
        ]

    if copies:
        return bpf.install_asking(rules, DENY)
    bpf.install(rules(DENY), DENY)
    return None


def protect_server() -> int | None:
    """Forbid a tool server that no namespace surrounds what Landlock does not, for good.

    It may execute, and fork where whoever holds the descriptor that is returned allows it; None
    where this kernel asks nobody: it then starts no process. Its tools cannot change modes, owners,
    times of files or their extended attributes, in its workspace either: no filter can tell where a
    file lies.
    """
    column = bpf.column()
    system = {name: OF_THE_SYSTEM[name] for name in OF_THE_SYSTEM.keys() - {"execve", "execveat"}}
    flags = (_FIOSETOWN, _SIOCSPGRP, _FS_IOC_SETFLAGS, _FS_IOC_FSSETXATTR)

    def rules(ask: int) -> Iterable[bytes]:
        return [
            *bpf.each(system, DENY),
            *bpf.each(OF_OTHERS, DENY),
            *bpf.each(LEFT_BY_LANDLOCK, DENY),
            *bpf.each(READ_PAST_LANDLOCK, bpf.UNSUPPORTED),
            on(_PRLIMIT[column], bpf.unless(ARGUMENT_0, 0, DENY)),
            on(_PRCTL[column], bpf.when(ARGUMENT_0, (_PR_SET_PDEATHSIG,), DENY)),
            on(_FCNTL[column], bpf.when(ARGUMENT_1, _FCNTL_OF_OTHERS, DENY)),
            on(_IOCTL[column], bpf.when(ARGUMENT_1, flags, DENY)),
            _only_stream_pairs(column),
            on(_CLONE3[column], answer(UNKNOWN)),
            on(
                _CLONE[column],
                bpf.when_bits(ARGUMENT_0, _NAMESPACES, DENY),
                bpf.when_bits(ARGUMENT_0, _THREAD, ALLOW),
                answer(ask),
            ),
            *bpf.each(FORKS, ask),
            # A newer kernel has more ways to a file than these tables know.
            bpf.newer_than(NEWEST),
        ]

    return bpf.install_asking(rules)


def _only_stream_pairs(column: int) -> bytes:
    # A datagram can be sent to a path from any such socket; a stream only to its other end.
    return on(
        _SOCKETPAIR[column],
        bpf.unless(ARGUMENT_0, _AF_UNIX, DENY),
        bpf.unless(ARGUMENT_1, _STREAM, DENY, mask=_KIND_OF_SOCKET),
        answer(ALLOW),
    )


def hide_memory() -> None:
    """Keep processes of the same user from reading or tracing this one."""
    bpf.prctl(_PR_SET_DUMPABLE, 0)


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """Have the kernel send this process a signal when the thread that started it ends."""
    bpf.prctl(_PR_SET_PDEATHSIG, number)


def adopt_orphans() -> None:
    """Have the kernel make orphans among the processes below this one its own children."""
    bpf.prctl(_PR_SET_CHILD_SUBREAPER, 1)
