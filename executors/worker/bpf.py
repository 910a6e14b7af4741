"""System-call filters: how rules are put together and installed, through ctypes; standard library.

A rule is a run of classic BPF instructions. It begins with the call's number loaded, and either
answers or leaves the number loaded for the rule after it.
"""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Callable, Iterable

from executors.worker.system_calls import Numbers

__all__ = [
    "ALLOW",
    "ARGUMENT_0",
    "ARGUMENT_1",
    "DENY",
    "UNKNOWN",
    "UNSUPPORTED",
    "answer",
    "column",
    "each",
    "install",
    "install_asking",
    "newer_than",
    "no_new_privileges",
    "on",
    "prctl",
    "unless",
    "when",
    "when_bits",
]

ALLOW = 0x7FFF0000
_ERROR = 0x00050000
DENY = _ERROR | errno.EPERM
UNSUPPORTED = _ERROR | errno.ENOTSUP
UNKNOWN = _ERROR | errno.ENOSYS
"""As a kernel answers that has no such call."""
_ASK = 0x7FC00000
_KILL = 0x80000000

ARGUMENT_0, ARGUMENT_1 = 16, 24  # offsets in struct seccomp_data
_NUMBER, _ARCHITECTURE = 0, 4

_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_ANY_BIT = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_AND = 0x54  # BPF_ALU | BPF_AND | BPF_K
_RETURN = 0x06
_WHOLE = 0xFFFFFFFF

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2
_SECCOMP = (317, 277)
_WITH_LISTENER = (1, 8)  # SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def column() -> int:
    """Return which of a table's numbers are this machine's; OSError where none are."""
    machine = platform.machine()
    if machine not in _AUDIT:
        raise OSError(f"no system-call filter for {machine}: use x86_64 or aarch64")
    return list(_AUDIT).index(machine)


# Rules.


def each(calls: Numbers, answered: int) -> Iterable[bytes]:
    """Answer all calls of a table that this architecture has."""
    numbers = (pair[column()] for pair in calls.values())
    return (on(number, answer(answered)) for number in numbers if number is not None)


def on(number: int, *body: bytes) -> bytes:
    """Apply `body` to one call; where that gives no answer the next rule is asked."""
    steps = b"".join(body) + _step(_LOAD, _NUMBER)
    return _step(_EQUAL, number, 0, len(steps) // 8) + steps


def newer_than(number: int) -> bytes:
    """Answer the calls above a number as UNKNOWN."""
    return _step(_AT_LEAST, number + 1, 0, 1) + answer(UNKNOWN)


# What a rule's body is made of.


def answer(value: int) -> bytes:
    """Answer whatever the arguments are."""
    return _step(_RETURN, value)


def when(offset: int, values: Iterable[int], answered: int) -> bytes:
    """Answer where an argument is one of the values."""
    tests = (_step(_EQUAL, value, 0, 1) + answer(answered) for value in values)
    return _step(_LOAD, offset) + b"".join(tests)


def when_bits(offset: int, bits: int, answered: int) -> bytes:
    """Answer where an argument has any of the bits."""
    return _step(_LOAD, offset) + _step(_ANY_BIT, bits, 0, 1) + answer(answered)


def unless(offset: int, value: int, answered: int, *, mask: int = _WHOLE) -> bytes:
    """Answer where an argument, cut to `mask`, is not the value."""
    test = _step(_AND, mask) + _step(_EQUAL, value, 1, 0)
    return _step(_LOAD, offset) + test + answer(answered)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


# Filters.


def install(rules: Iterable[bytes], last: int = ALLOW) -> None:
    """Put this process, and all below it, under rules for good; `last` answers what they leave."""
    program = _program(rules, last)
    no_new_privileges()
    prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(program))


def install_asking(rules: Callable[[int], Iterable[bytes]], last: int = ALLOW) -> int | None:
    """Install rules that may answer with what they are given: to ask.

    Return the descriptor that the kernel asks through, closed on execution. Where this kernel asks
    nobody the same rules deny instead, and None is returned.
    """
    program = _program(rules(_ASK), last)
    no_new_privileges()
    library = ctypes.CDLL(None, use_errno=True)
    arguments = [ctypes.c_long(value) for value in (_SECCOMP[column()], *_WITH_LISTENER)]
    descriptor = int(library.syscall(*arguments, ctypes.byref(program)))
    if descriptor >= 0:
        return descriptor
    install(rules(DENY), last)
    return None


def no_new_privileges() -> None:
    """Have the kernel give this process and those below it no privilege that it has not."""
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def prctl(option: int, first: int, second: int = 0) -> None:
    """Make the system call of this name, or OSError."""
    library = ctypes.CDLL(None, use_errno=True)
    arguments = [ctypes.c_ulong(value) for value in (first, second, 0, 0)]
    if library.prctl(ctypes.c_int(option), *arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {os.strerror(number)}")


def _program(rules: Iterable[bytes], last: int) -> _Program:
    head = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, _AUDIT[platform.machine()], 1, 0),
        answer(_KILL),
        _step(_LOAD, _NUMBER),
    ]
    if platform.machine() == "x86_64":
        head += [_step(_AT_LEAST, _X32, 0, 1), answer(DENY)]
    text = b"".join([*head, *rules, answer(last)])
    return _Program(len(text) // 8, text)
