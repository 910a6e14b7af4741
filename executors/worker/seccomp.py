"""System-call filters of the sandbox, installed by prctl through ctypes; standard library only.

`protect` is for the supervisor and all below it, `confine` adds what a worker must not do to
others: starting processes or threads, and reaching the supervisor's limits or scheduling.
"""

import ctypes
import errno
import os
import platform
import struct

__all__ = [
    "confine",
    "confine_alone",
    "die_with_parent",
    "hide_memory",
    "no_new_privileges",
    "no_sockets",
    "protect",
]

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2
_SIGKILL = 9

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
_NAMESPACES = 0x7E020080  # CLONE_NEW{TIME,NS,CGROUP,UTS,IPC,USER,PID,NET}
_AF_UNIX = 1
_STREAM, _KIND_OF_SOCKET = 1, 0xF

# name: (x86_64, aarch64); None where the architecture has no such call.
_DENIED: dict[str, tuple[int | None, int | None]] = {
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "userfaultfd": (323, 282),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "acct": (163, 89),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "personality": (135, 92),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "fanotify_init": (300, 262),
    "lookup_dcookie": (212, 18),
    # Memory that no limit of the process counts.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
}

_DENIED_TO_WORKERS: dict[str, tuple[int | None, int | None]] = {
    "fork": (57, None),
    "vfork": (58, None),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
}

# What Landlock leaves open: the attributes of files, and sockets of this machine by their path.
_DENIED_ALONE: dict[str, tuple[int | None, int | None]] = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "truncate": (76, 45),
    "inotify_add_watch": (254, 27),
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
}
_SIGNALS: dict[str, tuple[int, int]] = {
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
}

_CLONE, _CLONE3 = (56, 220), (435, 435)
_SECCOMP = (317, 277)
_WITH_LISTENER = (1, 8)  # SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER
_SOCKETS = ((41, 198), (53, 199))
_PRLIMIT = (302, 261)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def protect(*, alone: bool = False) -> None:
    """Forbid executing, tracing, mounting, namespaces and sockets beyond AF_UNIX, for good.

    `alone`, without a namespace around: also what changes a file's attributes, and all sockets but
    connected pairs, which reach nothing. OSError on an architecture that has no table here, or
    where the kernel refuses.
    """
    column = _column()
    denied = [numbers[column] for numbers in _DENIED.values()]
    rules = [_deny(number) for number in denied if number is not None]
    # The C library falls back from clone3, whose flags no filter can read, to clone.
    rules.append(_deny(_CLONE3[column], errno.ENOSYS))
    rules.append(_deny_argument(_CLONE[column], _ANY_BIT, _NAMESPACES, deny_if=True))
    rules += [
        _deny_argument(numbers[column], _EQUAL, _AF_UNIX, deny_if=False) for numbers in _SOCKETS
    ]
    if alone:
        more = [numbers[column] for numbers in _DENIED_ALONE.values()]
        rules += [_deny(number) for number in more if number is not None]
        rules.append(_only_stream_pairs(_SOCKETS[1][column]))
    _install(rules)


def confine_alone() -> None:
    """Forbid a worker what `confine` does, all clones, and any signal but to itself."""
    column = _column()
    own = os.getpid()
    signals = [
        _deny_argument(numbers[column], _EQUAL, own, deny_if=False) for numbers in _SIGNALS.values()
    ]
    _install([_deny(_CLONE[column]), *signals, *_rules_of_workers(column)])


def confine() -> int | None:
    """Forbid a worker new processes and threads, and any hand on another process's limits.

    Return the descriptor that the kernel asks through whether a clone may go on, which whoever
    holds it refuses or allows; None where this kernel asks nobody: clones then fail.
    """
    column = _column()
    rules = _rules_of_workers(column)
    clone = _CLONE[column]
    asked = _step(_EQUAL, clone, 0, 1) + _step(_RETURN, _ASK)
    program = _program([asked, *rules])
    no_new_privileges()
    library = ctypes.CDLL(None, use_errno=True)
    arguments = [ctypes.c_long(value) for value in (_SECCOMP[column], *_WITH_LISTENER)]
    descriptor = int(library.syscall(*arguments, ctypes.byref(program)))
    if descriptor >= 0:
        return descriptor
    _install([_deny(clone), *rules])
    return None


def _rules_of_workers(column: int) -> list[bytes]:
    denied = [numbers[column] for numbers in _DENIED_TO_WORKERS.values()]
    rules = [_deny(number) for number in denied if number is not None]
    return [*rules, _deny_argument(_PRLIMIT[column], _EQUAL, 0, deny_if=False)]


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


def no_sockets() -> None:
    """Forbid this process and all below it every socket but connected pairs."""
    column = _column()
    _install(
        [_deny(_DENIED_ALONE[name][column] or 0) for name in ("socket", "connect", "bind")]
        + [_only_stream_pairs(_SOCKETS[1][column])]
    )


def hide_memory() -> None:
    """Keep processes of the same user from reading or tracing this one."""
    _prctl(_PR_SET_DUMPABLE, 0)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends."""
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)


def _column() -> int:
    machine = platform.machine()
    if machine not in _AUDIT:
        raise OSError(f"no system-call filter for {machine}: use x86_64 or aarch64")
    return list(_AUDIT).index(machine)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _deny(number: int, error: int = errno.EPERM) -> bytes:
    return _step(_EQUAL, number, 0, 1) + _step(_RETURN, _FAIL | error)


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
