import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import anyio
import pytest

from controlscope.errors import InfrastructureError, WorkerLostError
from executors.worker.boxes import bubblewrap, docker, landlock
from executors.worker.boxes.box import BACK_ENDS, BackEnd
from executors.worker.boxes.bubblewrap import spawn
from executors.worker.boxes.cgroups import PROCESSES
from executors.worker.boxes.choosing import MAKERS, chosen
from executors.worker.client import WorkerLimits, forked, open_sandbox
from tests.executors.worker.conftest import working
from tests.executors.worker.programs import TOOLS, a_worker, paused, printed_by
from tests.executors.worker.test_losses import FORGE
from tests.processes import descendants, living, nothing_left_running

CONTROLLER = """
import sys
import anyio
from executors.worker.boxes.cgroups import PROCESSES
from executors.worker.boxes.choosing import MAKERS
from executors.worker.client import open_sandbox

async def main():
    maker = MAKERS[sys.argv[1]]
    async with (
        open_sandbox("fs", ["read"], maker=maker) as one,
        open_sandbox("fs", ["read"], maker=maker) as two,
    ):
        print("running", flush=True)
        worker = await two.worker()
        await (await one.worker()).run("fs.read(path='a')")
        # Past its own wish as well: to outlive the supervisor.
        await worker.run(
            "getattr(__builtins__, '__imp' 'ort__')('ctypes').CDLL(None).prctl(1, 0, 0, 0, 0)\\n"
            "while True: pass"
        )

anyio.run(main)
"""


def supervisors() -> set[int]:
    """Return the processes of this machine that supervise workers, or are workers."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                line = (entry / "cmdline").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if b"executors.worker.supervisor import main" in line and b"bwrap" not in line:
                found.add(int(entry.name))
    return found


def test_a_killed_controller_leaves_no_container() -> None:
    working("docker")
    before = supervisors()
    command = [sys.executable, "-c", CONTROLLER, "docker"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as controller:
        assert controller.stdout is not None
        assert controller.stdout.readline() == b"running\n"
        deadline = time.monotonic() + 20
        # Two supervisors and two workers.
        while len(found := supervisors() - before) < 4 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(found) >= 4
        controller.kill()
        controller.wait()
        while (left := living(found)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert left == set()


@pytest.mark.parametrize(("name", "processes"), [("bubblewrap", 6), ("landlock", 4)])
def test_a_killed_controller_leaves_no_process(name: BackEnd, processes: int) -> None:
    working(name)
    command = [sys.executable, "-c", CONTROLLER, name]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as controller:
        assert controller.stdout is not None
        assert controller.stdout.readline() == b"running\n"
        deadline = time.monotonic() + 10
        # Two supervisors and two workers, and two of bubblewrap.
        while len(found := descendants(controller.pid)) < processes and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(found) == processes
        os.kill(controller.pid, signal.SIGKILL)
        controller.wait()
        while (left := living(found)) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert left == set()


@pytest.mark.anyio
@pytest.mark.parametrize("name", BACK_ENDS)
async def test_no_process_of_a_box_has_a_capability_or_can_get_one(name: BackEnd) -> None:
    maker, before = working(name), set(descendants())
    async with open_sandbox("fs", TOOLS, maker=maker) as sandbox:
        worker = await sandbox.worker()
        below = descendants().items()
        if name == "docker":
            own = "getattr(__builtins__, 'op' 'en')('/proc/self/status').read()"
            found = [await printed_by(worker, f"print({own})")]
        else:
            started = [pid for pid, command in below if command.startswith("python")]
            inside = set(started) - before
            assert len(inside) == 2
            found = [Path(f"/proc/{pid}/status").read_text() for pid in inside]
        for text in found:
            status = dict(line.split(":\t", 1) for line in text.splitlines() if line)
            assert {status[f"Cap{which}"] for which in ("Inh", "Prm", "Eff", "Amb")} == {"0" * 16}
            assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")


@pytest.mark.anyio
async def test_a_closed_sandbox_is_gone_when_its_context_ends() -> None:
    before = set(descendants())
    async with open_sandbox("fs", TOOLS) as sandbox:
        paused(await (await sandbox.worker()).run("fs.read(path='a')"))
        inside = set(descendants()) - before
        assert len(inside) == 3
    assert living(inside) == set()


@pytest.mark.anyio
async def test_a_cancelled_run_closes_its_sandbox() -> None:
    before = set(descendants())
    inside: set[int] = set()
    with anyio.CancelScope() as scope:
        async with a_worker() as worker:
            inside = set(descendants()) - before
            scope.deadline = anyio.current_time() + 0.2
            await worker.run("while True: pass")
    assert len(inside) == 3
    assert living(inside) == set()


@pytest.mark.anyio
async def test_a_sandbox_that_dies_is_an_infrastructure_error() -> None:
    before = set(descendants())
    async with a_worker() as worker:
        outermost = min(set(descendants()) - before)
        os.kill(outermost, signal.SIGKILL)
        with pytest.raises(InfrastructureError) as lost:
            await worker.run("while True: pass")
        assert lost.value.kind == "sandbox_lost"


@pytest.mark.anyio
@pytest.mark.parametrize("name", BACK_ENDS)
async def test_a_box_whose_supervisor_does_not_start_is_an_infrastructure_error(
    name: BackEnd, monkeypatch: pytest.MonkeyPatch
) -> None:
    maker = working(name)
    for module in (bubblewrap, docker, landlock):
        for text in ("SUPERVISOR", "_SUPERVISOR"):
            monkeypatch.setattr(module, text, "raise SystemExit('no supervisor')", raising=False)
    with nothing_left_running():
        with pytest.raises(InfrastructureError, match="no supervisor") as refused:
            async with open_sandbox("fs", TOOLS, maker=maker):
                pass
        assert refused.value.kind == "sandbox_start_failed"


@pytest.mark.anyio
async def test_after_a_broken_protocol_the_box_is_destroyed_and_another_one_serves() -> None:
    with nothing_left_running() as started:
        async with open_sandbox("fs", TOOLS) as sandbox:
            worker = await sandbox.worker()
            first = started()
            code = f"{FORGE}send(b'nonsense')\nfs.read()"
            with pytest.raises(WorkerLostError, match="protocol_violation"):
                await worker.run(code)
            assert await printed_by(await sandbox.worker(), "print(1)") == "1\n"
            assert living(first) == set()
            assert len(started()) == 3


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


def test_the_first_back_end_that_works_is_chosen_by_running_it() -> None:
    assert chosen() is MAKERS["bubblewrap"]
    assert chosen("landlock") is MAKERS["landlock"]


def test_where_a_back_end_does_not_work_it_is_refused_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    with pytest.raises(InfrastructureError, match=r"docker: .*start a Docker engine") as refused:
        chosen.__wrapped__("docker")
    assert refused.value.kind == "sandbox_start_failed"


def test_another_thread_may_not_start_a_sandbox() -> None:
    caught: list[BaseException] = []

    def body() -> None:
        try:
            spawn([sys.executable], {})
        except RuntimeError as error:
            caught.append(error)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    assert len(caught) == 1


@pytest.mark.anyio
async def test_a_fork_is_over_when_it_is_left_and_the_box_takes_all_with_it() -> None:
    with nothing_left_running() as started:
        async with open_sandbox("fs", TOOLS) as sandbox:
            worker = await sandbox.worker()
            await worker.run("fs.read(path='a')")
            alone = started()
            for _ in range(20):
                async with forked(worker):
                    assert len(started() - alone) == 1
            assert started() == alone


@pytest.mark.anyio
@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes control groups")
@pytest.mark.parametrize("name", ["bubblewrap", "landlock"])
async def test_a_box_is_in_a_control_group_of_its_own_which_goes_with_it(name: BackEnd) -> None:
    maker = working(name)
    before = set(descendants())
    async with open_sandbox("fs", TOOLS, maker=maker) as sandbox:
        await sandbox.worker()
        inside = set(descendants()) - before
        groups = {Path(f"/proc/{pid}/cgroup").read_text() for pid in inside}
        (listed,) = groups
        found = {
            line.rpartition("/")[2] for line in listed.splitlines() if "/controlscope-" in line
        }
        assert found
        folders = [path for one in found for path in Path("/sys/fs/cgroup").rglob(one)]
        assert {"memory.limit_in_bytes", "pids.max", "memory.max"} & {
            path.name for folder in folders for path in folder.iterdir()
        }
        for folder in folders:
            if (folder / "pids.max").exists():
                assert (folder / "pids.max").read_text() == f"{PROCESSES}\n"
    assert not any(folder.exists() for folder in folders)
