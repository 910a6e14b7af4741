import pytest

from controlscope.errors import WorkerLostError
from executors.worker.client import WorkerLimits, open_sandbox
from tests.executors.worker.programs import TOOLS, ended, paused, printed_by, run, text

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("back_end")]

QUICK = WorkerLimits(block_seconds=0.3)
SMALL = WorkerLimits(memory_bytes=128 * 1024 * 1024)

FORGE = """
import os, json, struct
def send(value, worker=1):
    data = value if type(value) is bytes else json.dumps(value).encode()
    for descriptor in range(3, 64):
        try:
            getattr(os, "wri" "te")(descriptor, struct.pack("!II", len(data), worker) + data)
        except OSError:
            pass
"""

# A worker may signal nobody, itself neither; the kernel still ends what is past its own limit.
KILLED = """
resource = getattr(__builtins__, "__imp" "ort__")("resource")
def killed():
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    while True:
        pass
"""

CASES = {
    "computes where no signal reaches": (QUICK, "sum(range(10**13))", "wall_timeout"),
    "computes past its processor time": (
        WorkerLimits(block_seconds=20, cpu_seconds=1),
        "while True: pass",
        "cpu_limit",
    ),
    "is killed with its memory full": (
        SMALL,
        f"""{KILLED}
x = []
try:
    while True:
        x.append(bytearray(b"1") * 100_000)
except MemoryError:
    killed()
""",
        "oom_killed",
    ),
    "kills itself": (WorkerLimits(block_seconds=20), f"{KILLED}killed()", "worker_crash"),
    "reads a null pointer": (
        QUICK,
        "getattr(__builtins__, '__imp' 'ort__')('ctypes').string_at(0)",
        "worker_crash",
    ),
    "exits past Python": (QUICK, "import os\ngetattr(os, '_exit')(3)", "worker_exit"),
    "writes what is no message": (
        QUICK,
        f"{FORGE}send(b'nonsense')\nfs.read()",
        "protocol_violation",
    ),
    "announces too large a message": (
        QUICK,
        f"{FORGE}struct.pack = lambda *_: b'\\xff' * 8\nsend(b'')\nfs.read()",
        "protocol_violation",
    ),
    "forges another worker's message": (
        QUICK,
        f"{FORGE}send({{}}, worker=2)\nfs.read()",
        "protocol_violation",
    ),
    "forges the supervisor's word": (
        QUICK,
        f"{FORGE}send({{'kind': 'exit', 'worker': 1}}, worker=0)\nfs.read()",
        "protocol_violation",
    ),
    "closes its channel": (
        QUICK,
        """
import os, time
for descriptor in range(3, 64):
    try:
        getattr(os, "clo" "se")(descriptor)
    except OSError:
        pass
time.sleep(60)
""",
        "protocol_violation",
    ),
}


@pytest.mark.parametrize("case", CASES)
async def test_a_lost_worker_is_told_by_kind_and_the_sandbox_gives_another(case: str) -> None:
    limits, code, kind = CASES[case]
    async with open_sandbox("fs", TOOLS, limits) as sandbox:
        worker = await sandbox.worker()
        with pytest.raises(WorkerLostError) as lost:
            await worker.run(code)
        assert lost.value.kind == kind, lost.value
        with pytest.raises(RuntimeError):
            await worker.run("1")
        assert await printed_by(await sandbox.worker(), "print('fresh')") == "fresh\n"


async def test_a_forged_pause_is_answered_once_and_the_real_one_is_out_of_step() -> None:
    forged = {
        "seq": 1, "kind": "paused", "tool": "read", "arguments": {}, "position": [1, 0, 1, 0],
        "block": {}, "module": {}, "unexposed": [], "printed": "", "unknown": 0, "positional": 0,
    }  # fmt: skip
    async with open_sandbox("fs", TOOLS) as sandbox:
        worker = await sandbox.worker()
        code = f"{FORGE}send({forged})\nimport time\ntime.sleep(0.2)\nfs.write(path='b')"
        pause = paused(await worker.run(code))
        assert pause.pending.tool == "read"
        with pytest.raises(WorkerLostError) as lost:
            await worker.resume(text("ok"))
        assert lost.value.kind == "protocol_violation"


async def test_a_worker_lost_at_a_pause_is_told_at_the_next_command() -> None:
    async with open_sandbox("fs", TOOLS) as sandbox:
        worker = await sandbox.worker()
        code = """
            import sys
            signal = sys.__dict__["mod" "ules"]["signal"]
            signal.signal(signal.SIGUSR1, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, 0.02)
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPROF])
            x = 0
            for n in range(10**6): x += n
            fs.read(path="a")
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGPROF])
            """
        paused(await run(worker, code))
        with pytest.raises(WorkerLostError) as lost:
            await worker.resume(text("ok"))
        assert lost.value.kind == "worker_crash"


async def test_a_fresh_worker_takes_the_place_of_a_paused_one() -> None:
    async with open_sandbox("fs", TOOLS) as sandbox:
        first = await sandbox.worker()
        paused(await first.run("fs.read(path='a')"))
        second = await sandbox.worker()
        assert ended(await second.run("print(1)")).printed == "1\n"
        with pytest.raises(RuntimeError):
            await first.resume(text("late"))
