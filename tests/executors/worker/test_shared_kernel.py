"""What all processes of a machine share through its kernel, past its files, is out of reach."""

import ast
import ctypes
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from executors.worker.system_calls import OF_WORKERS
from tests.executors.worker.programs import a_worker, printed_by
from tests.executors.worker.test_attacks import REACH, outcomes

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.usefixtures("back_end"),
    pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of x86_64"),
]

_IPC_CREAT, _IPC_RMID, _IPC_STAT = 0o1000, 0, 2
_libc = ctypes.CDLL(None, use_errno=True)
_libc.shmat.restype = ctypes.c_void_p


@pytest.fixture
def segment() -> Iterator[int]:
    """Give a segment of memory that processes of this user share."""
    number = _libc.shmget(0, 4096, _IPC_CREAT | 0o600)
    address = _libc.shmat(number, None, 0)
    ctypes.memmove(address, b"of the host", 11)
    yield number
    assert ctypes.string_at(address, 11) == b"of the host"
    assert _libc.shmdt(ctypes.c_void_p(address)) == 0
    assert _libc.shmctl(number, _IPC_RMID, None) == 0


async def test_no_shared_memory_queue_or_semaphore_of_the_machine(segment: int) -> None:
    queue = _libc.msgget(0, _IPC_CREAT | 0o600)
    semaphores = _libc.semget(0, 1, _IPC_CREAT | 0o600)
    name = f"/controlscope-{uuid.uuid4().hex}".encode()
    posix = _libc.mq_open(name, os.O_CREAT | os.O_RDWR, 0o600, None)
    assert min(queue, semaphores, posix) >= 0
    found = await outcomes(
        f"syscall(30, {segment}, 0, 0)",
        f"syscall(31, {segment}, 0, 0)",
        f"syscall(31, {segment}, 2, imp('ctypes').create_string_buffer(500))",
        f"syscall(69, {queue}, b'x' * 20, 1, 0)",
        f"syscall(71, {queue}, 0, 0)",
        f"syscall(66, {semaphores}, 0, 0, 0)",
        f"syscall(241, {name[1:]!r})",
    )
    assert found == ["done EPERM"] * len(found)
    assert _libc.msgctl(queue, _IPC_RMID, None) == 0
    assert _libc.semctl(semaphores, 0, _IPC_RMID) == 0
    assert _libc.mq_unlink(name) == 0
    os.close(posix)


async def test_no_lease_or_lock_on_a_file_that_the_machine_uses() -> None:
    code = """
fcntl = imp("fcntl")
with read(os.__file__) as file:
    for command in (1024, 1026, 6, 7, 37, 38):
        for kind in (0, 1):
            attempt(lambda: fcntl.fcntl(file, command, kind if command > 1000 else bytes(32)))
    attempt(lambda: fcntl.flock(file, fcntl.LOCK_EX))
    attempt(lambda: fcntl.flock(file, fcntl.LOCK_SH))
ours, _ = call("os", "pipe")
attempt(lambda: fcntl.fcntl(ours, 1031, 1 << 20))
"""
    async with a_worker() as worker:
        printed = await printed_by(worker, REACH + code)
    assert set(printed.splitlines()) == {"PermissionError"}


async def test_nothing_is_used_up_that_a_limit_counts_for_the_user_or_the_machine() -> None:
    numbers = {
        "io_setup": "206, 60000, imp('ctypes').create_string_buffer(8)",
        "timer_create": "222, 1, 0, imp('ctypes').create_string_buffer(8)",
        "inotify_init1": "294, 0",
        "fanotify_init": "300, 0, 0",
        "eventfd2": "290, 0, 0",
        "signalfd4": "289, -1, bytes(8), 8, 0",
        "timerfd_create": "283, 1, 0",
        "mlockall": "151, 1",
        "sync": "162",
        "landlock_create_ruleset": "444, 0, 0, 1",
        "seccomp": "317, 1, 8, 0",
    }
    found = await outcomes(*(f"syscall({given})" for given in numbers.values()))
    assert dict(zip(numbers, found, strict=True)) == dict.fromkeys(numbers, "done EPERM")


async def test_a_worker_stays_hidden_and_in_its_session() -> None:
    found = await outcomes(
        "syscall(157, 4, 1, 0, 0, 0)",  # dumpable: others of its box could write to its memory
        "syscall(157, 0x59616d61, -1, 0, 0, 0)",
        "syscall(157, 62, 2, os.getppid(), 0, 0)",
        "syscall(112)",
        "syscall(109, 0, 0)",
    )
    assert found == ["done EPERM"] * len(found)


async def test_attributes_of_the_machines_files_are_not_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    os.setxattr(file, "user.secret", b"of the host")
    async with a_worker() as worker:
        code = f"attempt(lambda: call('os', 'getxattr', {str(file)!r}, 'user.secret'))\n"
        code += f"attempt(lambda: call('os', 'listxattr', {str(file)!r}))\n"
        printed = await printed_by(worker, REACH + code)
    assert printed == "PermissionError\n" * 2


async def test_no_call_is_let_past_but_those_of_the_table() -> None:
    known = {pair[0] for pair in OF_WORKERS.values()}
    # The kernel's own probes: newer ones let them past every filter, to nothing but a signal.
    others = sorted(set(range(475)) - known - {335, 336})
    async with a_worker() as worker:
        code = f"print({{n: syscall(n, -1, -1, -1, -1, -1, -1) for n in {others}}})"
        found: dict[int, str] = ast.literal_eval(await printed_by(worker, REACH + code))
    assert {number for number, answer in found.items() if answer == "ENOSYS"} >= {
        *range(451, 475),
        435,
    }
    assert set(found.values()) == {"EPERM", "ENOSYS"}
