"""What a hostile program may try, each against the real sandbox, past the static checks."""

import os
import socket
import sys
from pathlib import Path

import pytest

from controlscope.errors import WorkerLostError
from executors.worker.boxes.box import Maker
from executors.worker.client import WorkerLimits, open_sandbox
from tests.executors.worker.programs import TOOLS, a_worker, ended, paused, printed_by, text

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("back_end")]

VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"

REFUSED = {"FileNotFoundError", "PermissionError", "NotADirectoryError", "IsADirectoryError"}

REACH = """
import os, sys, errno
imp = getattr(__builtins__, "__imp" "ort__")
read = getattr(__builtins__, "op" "en")
call = lambda module, name, *given: getattr(imp(module), name)(*given)
native = imp("ctypes").CDLL(None, use_errno=True)
def syscall(number, *given):
    if native.syscall(number, *given) >= 0:
        return "done"
    return errno.errorcode[imp("ctypes").get_errno()]
def attempt(action):
    try:
        print("done", action())
    except BaseException as error:
        print(type(error).__name__)
"""


async def outcomes(*attempts: str) -> list[str]:
    """Run each expression in one worker; return what it printed: `done …` or an error's name."""
    async with a_worker() as worker:
        lines = "".join(f"attempt(lambda: {each})\n" for each in attempts)
        return (await printed_by(worker, REACH + lines)).splitlines()


async def test_nothing_of_the_host_can_be_read() -> None:
    checkout = Path(__file__).resolve().parents[3]
    # A container has a /proc of its own, where the supervisor's environment is closed.
    hidden = ["/etc/shadow", "/etc/passwd", "/proc/1/environ"]
    hidden += [str(checkout / "pyproject.toml"), "/dev/mem", "/run", "/home", "/tmp"]
    found = await outcomes(*(f"read({path!r}).read()" for path in hidden))
    assert set(found) <= REFUSED


async def test_no_folder_names_the_host_or_the_checkout(back_end: Maker) -> None:
    async with a_worker() as worker:
        code = """
seen = set()
for folder, folders, files in getattr(os, "wa" "lk")("/"):
    seen.add("/".join(folder.split("/")[:4]))
print(sorted(seen))
print(sys.prefix, sys.executable, os.__file__)
"""
        printed = await printed_by(worker, REACH + code)
    checkout = Path(__file__).resolve().parents[3]
    folders, python = printed.splitlines()
    assert str(checkout) not in printed
    if back_end.name == "landlock":
        assert folders == "[]"
        return
    assert "'/controlscope/executors/worker'" in folders
    assert python == f"/usr /usr/bin/python{VERSION} /usr/{sys.platlibdir}/python{VERSION}/os.py"


async def test_what_is_there_is_the_python_and_it_cannot_be_written(back_end: Maker) -> None:
    stdlib = f"/usr/{sys.platlibdir}/python{VERSION}"
    if back_end.name == "landlock":
        stdlib = os.path.dirname(os.__file__)  # noqa: PTH120
    found = await outcomes(
        *(f"read({path!r}, 'w')" for path in ("/x", f"{stdlib}/os.py", f"{stdlib}/new.py")),
        "call('os', 'mkdir', '/x')",
        f"call('os', 'remove', {f'{stdlib}/os.py'!r})",
        f"call('os', 'listdir', {f'{stdlib}/site-packages'!r})",
        "call('os', 'mkdir', '/controlscope/x')",
    )
    assert set(found[:5]) <= {"OSError", "PermissionError"}
    assert found[5] in ("done []", "FileNotFoundError", "PermissionError")
    assert found[6] in ("OSError", "PermissionError", "FileNotFoundError")


async def test_the_hosts_environment_is_not_there(
    back_end: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET", "of the host")
    async with a_worker() as worker:
        code = "import os\nprint(sorted(os.environ))\nprint(os.getcwd(), os.getuid())"
        user = os.getuid() if back_end.name == "landlock" else 65534
        assert await printed_by(worker, code) == f"['LANG', 'TZ']\n/ {user}\n"


async def test_there_is_no_network() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        found = await outcomes(
            f"call('socket', 'create_connection', ('127.0.0.1', {port}), 1)",
            "call('socket', 'socket', 2, 2)",
            "call('socket', 'socket', 16, 3)",
            "call('socket', 'getaddrinfo', 'example.org', 80)",
        )
    assert found == ["PermissionError", "PermissionError", "PermissionError", "gaierror"]


async def test_no_process_starts_by_any_way() -> None:
    found = await outcomes(
        "call('os', 'fork')",
        "call('os', 'system', 'true')",
        "call('subprocess', 'run', ['true'])",
        "call('os', 'execv', sys.executable, ['python'])",
        "call('_thread', 'start_new_thread', print, ())",
        "imp('concurrent.futures').futures.ThreadPoolExecutor().submit(print)",
        "call('multiprocessing', 'Process').start()",
        "native.fork()",
        "native.vfork()",
    )
    refused = "ConcurrencyError"
    assert found[:7] == [refused, refused, refused, "PermissionError", refused, refused, refused]
    assert found[7:] == ["done -1", "done -1"]


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of x86_64")
async def test_system_calls_past_python_are_refused() -> None:
    numbers = {
        "ptrace": 101, "process_vm_readv": 310, "mount": 165, "unshare": 272, "setns": 308,
        "chroot": 161, "bpf": 321, "perf_event_open": 298, "keyctl": 250, "io_uring_setup": 425,
        "userfaultfd": 323, "memfd_create": 319, "shmget": 29, "clone": 56, "personality": 135,
        "pidfd_open": 434, "execve": 59, "x32 getpid": 0x40000000 + 39,
    }  # fmt: skip
    found = await outcomes(*(f"syscall({number}, 0, 0, 0, 0, 0, 0)" for number in numbers.values()))
    assert dict(zip(numbers, found, strict=True)) == dict.fromkeys(numbers, "done EPERM")
    assert await outcomes("syscall(435, 0, 0)") == ["done ENOSYS"]
    # The supervisor's limits are out of reach, its own are not.
    assert await outcomes("syscall(302, 1, 7, 0, 0)", "syscall(302, 0, 7, 0, 0)") == [
        "done EPERM",
        "done done",
    ]


async def test_a_worker_signals_nobody() -> None:
    async with open_sandbox("fs", TOOLS) as sandbox:
        worker = await sandbox.worker()
        code = """
supervisor = call("os", "getppid")
for number in (0, 1, 2, 15, 17, 19, 10, 12, 9):
    for target in (supervisor, -supervisor, -1, 0, os.getpid()):
        attempt(lambda: call("os", "kill", target, number))
"""
        assert set((await printed_by(worker, REACH + code)).splitlines()) == {"PermissionError"}
        assert await printed_by(await sandbox.worker(), "print(1)") == "1\n"


async def test_no_ready_descriptor_signals_the_supervisor_for_a_worker() -> None:
    async with open_sandbox("fs", TOOLS) as sandbox:
        worker = await sandbox.worker()
        code = """
import struct
fcntl, socket = imp("fcntl"), imp("socket")
here, there = socket.socketpair()
supervisor = call("os", "getppid")
attempt(lambda: fcntl.fcntl(here, fcntl.F_SETSIG, 9))
attempt(lambda: fcntl.fcntl(here, fcntl.F_SETOWN, supervisor))
attempt(lambda: fcntl.fcntl(here, 15, struct.pack("ii", 1, supervisor)))
attempt(lambda: fcntl.ioctl(here, 0x8901, struct.pack("i", supervisor)))
attempt(lambda: fcntl.ioctl(here, 0x8902, struct.pack("i", supervisor)))
fcntl.fcntl(here, fcntl.F_SETFL, fcntl.fcntl(here, fcntl.F_GETFL) | 0o20000)
there.send(b"ready")
"""
        assert await printed_by(worker, REACH + code) == "PermissionError\n" * 5
        assert await printed_by(await sandbox.worker(), "print(1)") == "1\n"


async def test_the_worker_holds_no_descriptor_but_its_own_channel() -> None:
    found = await outcomes(
        "[n for n in range(1024) if syscall(72, n, 1) == 'done']"
        if os.uname().machine == "x86_64"
        else "[n for n in range(1024) if syscall(25, n, 1) == 'done']"
    )
    descriptors = found[0].removeprefix("done ").strip("[]").split(", ")
    assert descriptors[:3] == ["0", "1", "2"]
    assert len(descriptors) == 4


async def test_a_bomb_of_memory_is_a_memory_error_and_no_more() -> None:
    async with a_worker(WorkerLimits(memory_bytes=128 * 1024 * 1024)) as worker:
        end = ended(await worker.run("held = []\nwhile True:\n    held.append('x' * 1_000_000)"))
        assert end.error == "memory_error"
        assert 20 < int(await printed_by(worker, "print(len(held))\nheld.clear()")) < 128


async def test_a_full_memory_can_be_told_and_freed() -> None:
    async with a_worker(WorkerLimits(memory_bytes=128 * 1024 * 1024)) as worker:
        code = """
held = []
try:
    while True:
        held.append([0] * 100)
except MemoryError:
    fs.write(path="full")
"""
        pause = paused(await worker.run(code))
        assert pause.variables.unexposed == ("held",)
        assert ended(await worker.resume(text("ok"))).error is None
        assert await printed_by(worker, "print(len(held) > 1000)\nheld.clear()") == "True\n"


async def test_tracing_and_meddling_with_the_interpreter_hurt_the_program_alone() -> None:
    async with open_sandbox("fs", TOOLS) as sandbox:
        worker = await sandbox.worker()
        code = """
def trace(frame, *_):
    getattr(frame, "f_loc" "als").clear()
    return trace
getattr(sys, "settr" "ace")(trace)
fs.read(path="a")
"""
        with pytest.raises(WorkerLostError) as lost:
            await worker.run(REACH + code)
        assert lost.value.kind == "protocol_violation"
        fresh = await sandbox.worker()
        paused(await fresh.run("x = 1\nx = fs.read(path='b')"))


async def test_no_attribute_of_a_file_is_changed_by_any_way(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("of the host")
    os.utime(file, (1, 1))
    before = file.stat()
    path = str(file).encode()
    code = f"""
struct, ctypes = imp("struct"), imp("ctypes")
value = ctypes.create_string_buffer(b"v")
xattr = ctypes.create_string_buffer(struct.pack("=QII", ctypes.addressof(value), 1, 0))
flags = ctypes.create_string_buffer(struct.pack("=QIIII", 0x80, 0, 0, 0, 0))
attempt(lambda: call("os", "chmod", {path!r}, 0o777))
attempt(lambda: call("os", "utime", {path!r}, (2, 2)))
attempt(lambda: call("os", "chown", {path!r}, 1, 1))
attempt(lambda: call("os", "setxattr", {path!r}, b"user.a", b"v"))
# fchmodat2, setxattrat, file_setattr: newer than most tables of system calls.
print(native.syscall(452, -100, {path!r}, 0o777, 0))
print(native.syscall(463, -100, {path!r}, 0, b"user.b", xattr, 16))
print(native.syscall(469, -100, {path!r}, flags, 24, 0))
"""
    async with a_worker() as worker:
        printed = (await printed_by(worker, REACH + code)).splitlines()
    assert set(printed[:4]) <= {"PermissionError", "FileNotFoundError", "OSError"}
    assert printed[4:] == ["-1"] * 3
    after = file.stat()
    assert (after.st_mode, after.st_mtime, after.st_ctime) == (
        *(before.st_mode, before.st_mtime, before.st_ctime),
    )
    assert os.listxattr(file) == []


async def test_the_parents_memory_is_out_of_reach(back_end: Maker) -> None:
    # Tracing is refused; this is the last way, by name. A container has a /proc and a /dev.
    found = await outcomes(
        "read('/proc/1/mem', 'rb')",
        "call('os', 'listdir', '/proc')",
        "call('os', 'listdir', '/dev')",
    )
    assert found[0] in ("FileNotFoundError", "PermissionError")
    if back_end.name != "docker":
        assert found[1:] in (
            ["FileNotFoundError", "done ['null']"],
            ["PermissionError", "PermissionError"],
        )
