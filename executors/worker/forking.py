"""A paused worker is copied: how it clones itself, and who lets it; standard library only.

A worker's filter refuses every fork and thread by asking the supervisor, which says no to all but
the one clone that the controller has asked for, of that worker, while it is paused.
"""

import ctypes
import errno
import fcntl
import os
import platform
import resource
import socket
import struct
from collections.abc import Callable

__all__ = ["Gate", "answer", "clone_beside", "receive", "send_descriptor", "sender"]

_CLONE_PARENT = 0x8000
_SIGCHLD = 17
_FLAGS = _CLONE_PARENT | _SIGCHLD
_CLONE = {"x86_64": 56, "aarch64": 220}.get(platform.machine(), -1)
_CONTINUE = 1

_INT = struct.Struct("=i")
_CREDENTIALS = struct.Struct("=iII")  # struct ucred
_REQUEST = struct.Struct("=QII iIQ 6Q")  # struct seccomp_notif
_ANSWER = struct.Struct("=QqiI")  # struct seccomp_notif_resp
_RECEIVE = 0xC0000000 | _REQUEST.size << 16 | ord("!") << 8
_SEND = 0xC0000000 | _ANSWER.size << 16 | ord("!") << 8 | 1

# Not CDLL: the copy must own the interpreter's lock, as its original does here.
_syscall = ctypes.PyDLL(None, use_errno=True).syscall
_syscall.restype = ctypes.c_long
_limits = resource.getrlimit, resource.setrlimit
_long = ctypes.c_long


def clone_beside() -> int:
    """Copy this process, of one thread, beside itself: a child of its parent.

    Return 0 in the copy, its id in the original, -1 where it is refused. It is the bare system
    call: no handler of os.register_at_fork runs, so that no random generator is seeded anew and
    the copy cannot tell that it is one.
    """
    get_limits, set_limits = _limits
    before = get_limits(resource.RLIMIT_NPROC)
    set_limits(resource.RLIMIT_NPROC, (before[1], before[1]))
    try:
        return int(_syscall(_long(_CLONE), *map(_long, (_FLAGS, 0, 0, 0, 0))))
    finally:
        set_limits(resource.RLIMIT_NPROC, before)


class Gate:
    """The supervisor's answer to each clone of a worker and its copies, over one descriptor."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.users = 1
        self._opened_for: int | None = None

    def open_for(self, pid: int) -> None:
        """Let the process `pid` clone itself beside itself, once."""
        self._opened_for = pid

    def shut(self) -> None:
        """Let nobody."""
        self._opened_for = None

    def answer(self) -> None:
        """Answer what waits; call it when the descriptor is readable."""
        answer(self.descriptor, self._may)

    def _may(self, pid: int, call: int, flags: int) -> bool:
        if call != _CLONE or flags != _FLAGS or pid != self._opened_for:
            return False
        self._opened_for = None
        return True

    def leave(self) -> None:
        """One of its processes has ended; with the last one the gate is closed."""
        self.users -= 1
        if not self.users:
            os.close(self.descriptor)


def answer(descriptor: int, may: Callable[[int, int, int], bool]) -> None:
    """Answer what waits for a filter's listener; call it when the descriptor is readable.

    `may` is told the process, the number of its system call and the first argument.
    """
    request = bytearray(_REQUEST.size)
    try:
        fcntl.ioctl(descriptor, _RECEIVE, request)
    except OSError:
        return  # Who asked has ended meanwhile.
    number, pid, _, call, _, _, first, *_ = _REQUEST.unpack(request)
    answers = [_ANSWER.pack(number, 0, -errno.EPERM, 0)]
    if may(pid, call, first):
        answers.insert(0, _ANSWER.pack(number, 0, 0, _CONTINUE))
    for one in answers:
        try:
            fcntl.ioctl(descriptor, _SEND, bytearray(one))
        except OSError:
            continue  # It has ended, or this kernel knows no way to let it go on.
        return


def send_descriptor(channel: socket.socket, data: bytes, descriptor: int) -> None:
    """Send bytes and a descriptor with them, or OSError."""
    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, _INT.pack(descriptor))
    if channel.sendmsg([data], [rights]) != len(data):
        raise OSError(errno.EAGAIN, "the peer does not read")


def receive(channel: socket.socket, size: int) -> tuple[bytes, int | None]:
    """Receive bytes, and a descriptor where one came with them."""
    data, extras, _, _ = channel.recvmsg(size, socket.CMSG_SPACE(_INT.size))
    for level, kind, value in extras:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            return data, int(_INT.unpack(value)[0])
    return data, None


def sender(channel: socket.socket) -> int | None:
    """Return the process that wrote what can be read next, as the kernel says; None at the end.

    The channel must have been told to pass credentials (SO_PASSCRED); nothing is taken from it.
    """
    space = socket.CMSG_SPACE(_CREDENTIALS.size)
    try:
        data, extras, _, _ = channel.recvmsg(1, space, socket.MSG_PEEK)
    except OSError:
        return None
    for level, kind, value in extras:
        if data and (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
            return int(_CREDENTIALS.unpack(value)[0])
    return None
