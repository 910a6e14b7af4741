"""System-call filters of the sandbox, installed by prctl through ctypes; standard library only.

`protect` is for the supervisor and all below it, `confine` adds what a worker must not do to
others: starting processes or threads, and reaching the supervisor's limits or scheduling.
"""

import ctypes
import errno
import platform
import signal
import struct
from collections.abc import Callable, Iterable

from executors.worker.system_calls import (
    FORKS,
    LEFT_BY_LANDLOCK,
    NEWEST,
    OF_OTHERS,
    OF_THE_SYSTEM,
    SIGNALS,
    Numbers,
)

__all__ = [
    "adopt_orphans",
    "confine",
    "confine_alone",
    "die_with_parent",
    "hide_memory",
    "no_new_privileges",
    "protect",
    "protect_server",
]

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2

_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_ANY_BIT = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_AND = 0x54  # BPF_ALU | BPF_AND | BPF_K
_RETURN = 0x06
_ALLOW = 0x7FFF0000
_FAIL = 0x00050000
_ASK = 0x7FC00000
_KILL = 0x80000000

_NUMBER, _ARCHITECTURE, _ARGUMENT_0, _ARGUMENT_1 = 0, 4, 16, 24  # offsets in struct seccomp_data
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000
_THREAD = 0x10000  # CLONE_THREAD
_NAMESPACES = 0x7E020080  # CLONE_NEW{TIME,NS,CGROUP,UTS,IPC,USER,PID,NET}
_AF_UNIX = 1
_STREAM, _KIND_OF_SOCKET = 1, 0xF

_CLONE, _CLONE3 = (56, 220), (435, 435)
_SECCOMP = (317, 277)
_WITH_LISTENER = (1, 8)  # SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER
_SOCKETS = ((41, 198), (53, 199))
_PRLIMIT = (302, 261)

_PRCTL, _FCNTL, _IOCTL = (157, 167), (72, 25), (16, 29)
# Whom the kernel signals when a descriptor is ready, and with which signal.
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX = 8, 10, 15
_FIOSETOWN, _SIOCSPGRP = 0x8901, 0x8902
_FS_IOC_SETFLAGS, _FS_IOC_FSSETXATTR = 0x40086602, 0x401C5820


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def protect(*, alone: bool = False) -> None:
    """Forbid executing, tracing, mounting, namespaces and sockets beyond AF_UNIX, for good.

    `alone`, without a namespace around: also what changes a file's attributes, and all sockets but
    connected pairs, which reach nothing. OSError on an architecture that has no table here, or
    where the kernel refuses.
    """
    column = _column()
    rules = [*_deny_all(OF_THE_SYSTEM, column), *_no_namespaces(column)]
    rules += [
        _deny_argument(numbers[column], _EQUAL, _AF_UNIX, deny_if=False) for numbers in _SOCKETS
    ]
    if alone:
        rules += _left_by_landlock(column)
    _install(rules)


def protect_server() -> int | None:
    """Forbid a tool server that no namespace surrounds what Landlock does not, for good.

    It may execute, and fork where whoever holds the descriptor that is returned allows it; None
    where this kernel asks nobody: it then starts no process. Its tools cannot change modes, owners,
    times of files or their extended attributes, in its workspace either: no filter can tell where a
    file lies.
    """
    column = _column()
    system = {name: OF_THE_SYSTEM[name] for name in OF_THE_SYSTEM.keys() - {"execve", "execveat"}}
    others = {name: OF_OTHERS[name] for name in OF_OTHERS.keys() - FORKS.keys()}
    rules = [
        *_deny_all(system, column),
        *_deny_all(others, column),
        *_no_hand_on_others(column),
        _deny(_CLONE3[column], errno.ENOSYS),
    ]
    # Last, for it lets other sockets than those pass which it names.
    rest = _left_by_landlock(column)
    return _asking(lambda ask: [*rules, *_forks_of_server(column, ask), *rest])


def _forks_of_server(column: int, ask: int) -> list[bytes]:
    bare = [number for numbers in FORKS.values() if (number := numbers[column]) is not None]
    clone = [
        _step(_EQUAL, _CLONE[column], 0, 6),
        _step(_LOAD, _ARGUMENT_0),
        _step(_ANY_BIT, _NAMESPACES, 0, 1),
        _step(_RETURN, _FAIL | errno.EPERM),
        _step(_ANY_BIT, _THREAD, 1, 0),
        _step(_RETURN, ask),
        _step(_RETURN, _ALLOW),
    ]
    return [*(_step(_EQUAL, number, 0, 1) + _step(_RETURN, ask) for number in bare), *clone]


def confine_alone() -> None:
    """Forbid a worker what `confine` does, and all clones."""
    column = _column()
    _install([_deny(_CLONE[column]), *_rules_of_workers(column)])


def confine() -> int | None:
    """Forbid a worker new processes and threads, all signals, and any hand on another's limits.

    Return the descriptor that the kernel asks through whether a clone may go on, which whoever
    holds it refuses or allows; None where this kernel asks nobody: clones then fail.
    """
    column = _column()
    rules = _rules_of_workers(column)
    asked = _step(_EQUAL, _CLONE[column], 0, 1)
    return _asking(lambda ask: [asked, _step(_RETURN, ask), *rules])


def _asking(rules: Callable[[int], list[bytes]]) -> int | None:
    """Install rules that ask; where this kernel asks nobody, the same ones refusing instead."""
    program = _program(rules(_ASK))
    no_new_privileges()
    library = ctypes.CDLL(None, use_errno=True)
    arguments = [ctypes.c_long(value) for value in (_SECCOMP[_column()], *_WITH_LISTENER)]
    descriptor = int(library.syscall(*arguments, ctypes.byref(program)))
    if descriptor >= 0:
        return descriptor
    _install(rules(_FAIL | errno.EPERM))
    return None


def _rules_of_workers(column: int) -> list[bytes]:
    return [
        *_deny_all(OF_OTHERS, column),
        *_deny_all(SIGNALS, column),
        *_no_hand_on_others(column),
    ]


def _no_hand_on_others(column: int) -> list[bytes]:
    """Forbid others' limits, outliving the parent, and having the kernel signal others."""
    return [
        _deny_argument(_PRLIMIT[column], _EQUAL, 0, deny_if=False),
        _deny_values(_PRCTL[column], _ARGUMENT_0, _PR_SET_PDEATHSIG),
        _deny_values(_FCNTL[column], _ARGUMENT_1, _F_SETOWN, _F_SETSIG, _F_SETOWN_EX),
        _deny_values(_IOCTL[column], _ARGUMENT_1, _FIOSETOWN, _SIOCSPGRP),
    ]


def _no_namespaces(column: int) -> list[bytes]:
    return [
        # The C library falls back from clone3, whose flags no filter can read, to clone.
        _deny(_CLONE3[column], errno.ENOSYS),
        _deny_argument(_CLONE[column], _ANY_BIT, _NAMESPACES, deny_if=True),
    ]


def _left_by_landlock(column: int) -> list[bytes]:
    # A newer kernel has more ways to a file than this table knows: it is as one that has not.
    newer = _step(_AT_LEAST, NEWEST + 1, 0, 1) + _step(_RETURN, _FAIL | errno.ENOSYS)
    denied = _deny_all(LEFT_BY_LANDLOCK, column)
    flags = _deny_values(_IOCTL[column], _ARGUMENT_1, _FS_IOC_SETFLAGS, _FS_IOC_FSSETXATTR)
    return [newer, *denied, flags, _only_stream_pairs(_SOCKETS[1][column])]


def _only_stream_pairs(number: int) -> bytes:
    # A datagram can be sent to a path from any such socket; a stream only to its other end.
    return b"".join(
        [
            _step(_EQUAL, number, 0, 5),
            _step(_LOAD, _ARGUMENT_1),
            _step(_AND, _KIND_OF_SOCKET),
            _step(_EQUAL, _STREAM, 1, 0),
            _step(_RETURN, _FAIL | errno.EPERM),
            _step(_RETURN, _ALLOW),
        ]
    )


def no_new_privileges() -> None:
    """Have the kernel give this process and those below it no privilege that it has not."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def hide_memory() -> None:
    """Keep processes of the same user from reading or tracing this one."""
    _prctl(_PR_SET_DUMPABLE, 0)


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """Have the kernel send this process a signal when the thread that started it ends."""
    _prctl(_PR_SET_PDEATHSIG, number)


def adopt_orphans() -> None:
    """Have the kernel make orphans among the processes below this one its own children."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _column() -> int:
    machine = platform.machine()
    if machine not in _AUDIT:
        raise OSError(f"no system-call filter for {machine}: use x86_64 or aarch64")
    return list(_AUDIT).index(machine)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _deny(number: int, error: int = errno.EPERM) -> bytes:
    return _step(_EQUAL, number, 0, 1) + _step(_RETURN, _FAIL | error)


def _deny_all(calls: Numbers, column: int) -> Iterable[bytes]:
    return (_deny(number) for numbers in calls.values() if (number := numbers[column]) is not None)


def _deny_values(number: int, offset: int, *values: int) -> bytes:
    *most, last = values
    count = len(most)
    return b"".join(
        [
            _step(_EQUAL, number, 0, count + 4),
            _step(_LOAD, offset),
            *(_step(_EQUAL, value, count - place, 0) for place, value in enumerate(most)),
            _step(_EQUAL, last, 0, 1),
            _step(_RETURN, _FAIL | errno.EPERM),
            # Further rules may look at the same call.
            _step(_LOAD, _NUMBER),
        ]
    )


def _deny_argument(number: int, test: int, value: int, *, deny_if: bool) -> bytes:
    jumps = (0, 1) if deny_if else (1, 0)
    return b"".join(
        [
            _step(_EQUAL, number, 0, 4),
            _step(_LOAD, _ARGUMENT_0),
            _step(test, value, *jumps),
            _step(_RETURN, _FAIL | errno.EPERM),
            _step(_RETURN, _ALLOW),
        ]
    )


def _install(rules: list[bytes]) -> None:
    program = _program(rules)
    no_new_privileges()
    _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(program))


def _program(rules: list[bytes]) -> _Program:
    head = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, _AUDIT[platform.machine()], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
    ]
    if platform.machine() == "x86_64":
        head += [_step(_AT_LEAST, _X32, 0, 1), _step(_RETURN, _FAIL | errno.EPERM)]
    text = b"".join([*head, *rules, _step(_RETURN, _ALLOW)])
    return _Program(len(text) // 8, text)


def _prctl(option: int, first: int, second: int = 0) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    arguments = [ctypes.c_ulong(value) for value in (first, second, 0, 0)]
    if library.prctl(ctypes.c_int(option), *arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {errno.errorcode.get(number, number)}")
