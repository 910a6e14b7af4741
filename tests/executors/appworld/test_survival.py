"""What becomes of the engine's processes, and what they can see."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from controlscope.errors import InfrastructureError
from executors.appworld.engine import Engine
from executors.confinement import Means
from executors.worker.boxes.choosing import MAKERS
from tests.executors.appworld.worlds import TASK, opened, value
from tests.processes import descendants, living

pytestmark = pytest.mark.anyio

_CHECKOUT = Path(__file__).parents[3]


def _worlds() -> set[int]:
    return {pid for pid, name in descendants().items() if name.startswith("python")}


async def test_a_world_sees_its_task_and_neither_truth_nor_network_nor_secrets(
    engine: Engine, root: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret")
    async with opened(engine, root):
        before = _worlds()
        async with opened(engine, root, "starred_1"):
            (pid,) = _worlds() - before
            seen = Path(f"/proc/{pid}/root")
            data = root.resolve() / "data"
            assert (seen / (data / "base_dbs").relative_to("/")).is_dir()
            assert not (seen / (data / "tasks").relative_to("/")).exists()
            for path in (_CHECKOUT / "controlscope", tmp_path / "secret", Path("/etc/passwd")):
                assert not (seen / path.relative_to("/")).exists(), path
            interfaces = Path(f"/proc/{pid}/net/dev").read_text().splitlines()[2:]
            assert [line.split(":")[0].strip() for line in interfaces] == ["lo"]
            names = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            known = {b"HOME", b"TMPDIR", b"IPYTHONDIR", b"PATH", b"LANG", b"LC_ALL", b"TZ", b"PWD"}
            known |= {b"APPWORLD_ROOT", b"APPWORLD_CACHE", b"PYTHONHASHSEED", b""}
            assert {name.split(b"=")[0] for name in names} <= known


async def test_a_closed_world_leaves_no_process(engine: Engine, root: Path) -> None:
    async with opened(engine, root):
        before = _worlds()
        async with opened(engine, root) as environment:
            copy = await environment.copied()
            assert len(_worlds() - before) == 2
            copy.close()
        _wait_until_gone(_worlds() - before)


async def test_a_world_that_does_not_answer_in_time_is_lost_and_ends(
    engine: Engine, root: Path
) -> None:
    async with opened(engine, root) as other:
        before = _worlds()
        world = await engine.open(TASK)
        (pid,) = _worlds() - before
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(InfrastructureError, match=r"environment_lost: .*within 0\.5 seconds"):
            await world.process.ask({"state": True}, 0.5)
        with pytest.raises(InfrastructureError, match="environment_lost"):
            await world.state()
        os.kill(pid, signal.SIGCONT)
        _wait_until_gone({pid})
        await value(other, "supervisor.show_profile")


async def test_a_killed_world_is_lost_alone_and_a_killed_engine_starts_anew(
    engine: Engine, root: Path
) -> None:
    async with opened(engine, root) as environment:
        before = _worlds()
        async with opened(engine, root) as other:
            (pid,) = _worlds() - before
            os.kill(pid, signal.SIGKILL)
            with pytest.raises(InfrastructureError, match="environment_lost"):
                await other.call("supervisor.show_profile", {})
        await value(environment, "supervisor.show_profile")
        engine.close()
        with pytest.raises(InfrastructureError, match="environment_lost"):
            await environment.call("supervisor.show_profile", {})
    async with opened(engine, root) as environment:
        await value(environment, "supervisor.show_profile")


@pytest.mark.parametrize("means", ["bubblewrap", "landlock"])
async def test_a_killed_controller_leaves_no_process_and_its_world_was_the_same(
    engine: Engine, root: Path, tmp_path: Path, means: Means
) -> None:
    problem = MAKERS[means].probe()
    if problem is not None:
        pytest.skip(f"{means} does not work here: {problem}")
    script = tmp_path / "controller.py"
    script.write_text(
        "import anyio, pathlib, sys\n"
        "from executors.appworld.engine import engine_on\n"
        "from executors import confinement\n"
        "confinement.means = lambda: sys.argv[2]\n"
        "async def main():\n"
        "    world = await engine_on(pathlib.Path(sys.argv[1])).open('packing_1')\n"
        "    copy = await world.copied(world.digest)\n"
        "    print((await copy.call('supervisor.show_profile', {}))['digest'], flush=True)\n"
        "    await anyio.sleep_forever()\n"
        "anyio.run(main)\n"
    )
    command = [sys.executable, str(script), str(root), means]
    variables = {"PYTHONPATH": str(_CHECKOUT), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, cwd=_CHECKOUT, env=variables, text=True
    ) as controller:
        assert controller.stdout is not None
        digest = controller.stdout.readline().strip()
        below = set(descendants(controller.pid))
        assert len(below) >= 3
        controller.kill()
    _wait_until_gone(below)
    async with opened(engine, root) as environment:
        await value(environment, "supervisor.show_profile")
        assert await environment.digest() == digest


def _wait_until_gone(pids: set[int]) -> None:
    deadline = time.monotonic() + 5
    while left := living(pids):
        if time.monotonic() > deadline:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            pytest.fail(f"still running: {left} of {pids}")
        time.sleep(0.01)
