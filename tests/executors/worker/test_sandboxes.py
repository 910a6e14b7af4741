import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import anyio
import pytest

from controlscope.errors import InfrastructureError
from executors.worker.client import WorkerLimits, open_sandbox, probe
from executors.worker.sandboxes import start
from tests.executors.worker.programs import TOOLS, a_worker, paused, printed_by

CONTROLLER = """
import anyio
from executors.worker.client import open_sandbox

async def main():
    async with open_sandbox("fs", ["read"]) as one, open_sandbox("fs", ["read"]) as two:
        print("running", flush=True)
        worker = await two.worker()
        await (await one.worker()).run("fs.read(path='a')")
        await worker.run("while True: pass")

anyio.run(main)
"""


def descendants(pid: int) -> set[int]:
    """Return the processes below a process, as the kernel lists them now."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            state, parent = stat.rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(entry.name)] = int(parent)
    found: set[int] = set()
    new = {pid}
    while new:
        new = {child for child, parent in parents.items() if parent in new}
        found |= new
    return found


def alive(pids: set[int]) -> set[int]:
    running = set()
    for pid in pids:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if stat.rpartition(")")[2].split()[0] != "Z":
            running.add(pid)
    return running


def test_a_killed_controller_leaves_no_process() -> None:
    with subprocess.Popen([sys.executable, "-c", CONTROLLER], stdout=subprocess.PIPE) as controller:
        assert controller.stdout is not None
        assert controller.stdout.readline() == b"running\n"
        deadline = time.monotonic() + 10
        # Two of bubblewrap, two supervisors and two workers.
        while len(found := descendants(controller.pid)) < 6 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(found) == 6
        os.kill(controller.pid, signal.SIGKILL)
        controller.wait()
        while (left := alive(found)) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert left == set()


@pytest.mark.anyio
async def test_a_closed_sandbox_is_gone_when_its_context_ends() -> None:
    before = descendants(os.getpid())
    async with open_sandbox("fs", TOOLS) as sandbox:
        paused(await (await sandbox.worker()).run("fs.read(path='a')"))
        inside = descendants(os.getpid()) - before
        assert len(inside) == 3
    assert alive(inside) == set()


@pytest.mark.anyio
async def test_a_cancelled_run_closes_its_sandbox() -> None:
    before = descendants(os.getpid())
    inside: set[int] = set()
    with anyio.move_on_after(0.5):
        async with a_worker() as worker:
            inside = descendants(os.getpid()) - before
            await worker.run("while True: pass")
    assert len(inside) == 3
    assert alive(inside) == set()


@pytest.mark.anyio
async def test_a_sandbox_that_dies_is_an_infrastructure_error() -> None:
    before = descendants(os.getpid())
    async with a_worker() as worker:
        outermost = min(descendants(os.getpid()) - before)
        os.kill(outermost, signal.SIGKILL)
        with pytest.raises(InfrastructureError) as lost:
            await worker.run("while True: pass")
        assert lost.value.kind == "sandbox_lost"


@pytest.mark.anyio
async def test_a_worker_that_cannot_start_is_an_infrastructure_error() -> None:
    async with open_sandbox("fs", TOOLS, WorkerLimits(memory_bytes=1 << 70)) as sandbox:
        with pytest.raises(InfrastructureError) as lost:
            await sandbox.worker()
        assert lost.value.kind == "sandbox_lost"


@pytest.mark.anyio
async def test_sandboxes_do_not_see_each_other() -> None:
    async with a_worker() as one, a_worker() as two:
        await one.run("x = 1")
        assert await printed_by(two, "print('x' in globals())") == "False\n"


@pytest.mark.anyio
async def test_commands_out_of_turn_are_the_callers_mistake() -> None:
    async with a_worker() as worker:
        with pytest.raises(RuntimeError):
            await worker.replace("1")
        paused(await worker.run("fs.read(path='a')"))
        with pytest.raises(RuntimeError):
            await worker.run("1")


def test_the_probe_runs_a_sandbox_and_finds_it_working() -> None:
    assert probe() is None


def test_another_thread_may_not_start_a_sandbox() -> None:
    caught: list[BaseException] = []

    def body() -> None:
        try:
            start()
        except RuntimeError as error:
            caught.append(error)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    assert len(caught) == 1
