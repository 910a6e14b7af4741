"""A process that confines itself with Landlock, to supervise workers or to serve tools.

Standard library only. Its command line holds the paths that it may read and, after a `--` each,
those that it may write, its environment and what it becomes.
"""

import ctypes
import os
import platform
import stat
import struct
import sys
from typing import NoReturn

from executors.worker import bpf, frozen, seccomp

__all__ = ["confine", "main", "serve"]

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1
_CAPSET = {"x86_64": 126, "aarch64": 91}

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_ALL_OF_ABI_1 = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL = 1 << 13, 1 << 14, 1 << 15
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
_TCP = 3  # bind and connect
_SCOPES = 3  # abstract sockets and signals


def main() -> NoReturn:
    """Turn this process into the supervisor of workers."""
    from executors.worker import supervisor

    if frozen.fix_addresses():
        os.execv(sys.executable, sys.orig_argv)
    seccomp.die_with_parent()
    confine()
    supervisor.main(copies=False)


def serve() -> NoReturn:
    """Keep a tool server that is confined to its workspace, all that it may write to."""
    from executors.worker import keeper

    keeper.keep(_confine_server, _run_server)


def _confine_server() -> int | None:
    confine()
    return seccomp.protect_server()


def _run_server() -> NoReturn:
    _, (workspace,), variables, command = _parts()
    os.chdir(workspace)
    os.execve(command[0], command, dict(part.split("=", 1) for part in variables))


def confine() -> None:
    """Allow this process and all below it the paths of its command line, and drop its privileges.

    OSError where this kernel has no Landlock.
    """
    read_only, writable, *_ = _parts()
    version = _call(_CREATE, None, 0, _VERSION)
    handled = _ALL_OF_ABI_1
    for first, rights in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL)):
        handled |= rights if version >= first else 0
    attributes = struct.pack(
        "=QQQ", handled, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0
    )
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = _call(_CREATE, attributes[:size], size, 0)
    for path in read_only:
        _allow(ruleset, path, _EXECUTE | _READ_FILE | _READ_DIR)
    for path in (os.devnull, *writable):
        _allow(ruleset, path, handled & ~_EXECUTE)
    _drop_capabilities()
    bpf.no_new_privileges()
    _call(_RESTRICT, ruleset, 0)
    os.close(ruleset)


def _parts() -> list[list[str]]:
    """Cut the command line at each `--`, as far as the fourth part, which may hold more."""
    parts: list[list[str]] = [[]]
    for argument in sys.argv[1:]:
        if argument == "--" and len(parts) < 4:
            parts.append([])
        else:
            parts[-1].append(argument)
    return parts + [[]] * (4 - len(parts))


def _allow(ruleset: int, path: str, rights: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _OF_FILES
        _call(_ADD, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)


def _drop_capabilities() -> None:
    header, none = struct.pack("=Ii", 0x20080522, 0), bytes(24)
    _call(_CAPSET[platform.machine()], header, none)


def _call(number: int, *arguments: bytes | int | None) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    passed = [
        ctypes.c_char_p(value)
        if value is None or isinstance(value, bytes)
        else ctypes.c_long(value)
        for value in arguments
    ]
    result = int(library.syscall(ctypes.c_long(number), *passed))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"system call {number}: {os.strerror(code)}")
    return result
