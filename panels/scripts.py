"""Build a task's environment and judge what a run left: its own scripts, run as processes."""

import os
import shutil
import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from subprocess import CompletedProcess

import anyio

from controlscope.errors import InfrastructureError
from controlscope.roles import Score
from controlscope.tasks import INSTANT, Task
from executors.mcp.workspace import first_second, prepare

__all__ = ["build", "score"]

_SECONDS = 300
_FILE_TIME = (INSTANT - timedelta(days=1)).timestamp()
_PASSED, _FAILED = 0, 1


async def build(task: Task, target: Path) -> None:
    """Fill the folder `target` with the task's environment; a folder left there is removed.

    InputError where an entry could not stand in an environment, or is dated after the present.
    """
    shutil.rmtree(target, ignore_errors=True)
    if task.kind == "appworld":
        target.mkdir(parents=True)  # The engine opens its data root by itself.
        return
    if task.kind == "alfworld":
        target.mkdir(parents=True)
        shutil.copyfile(task.environment, target / task.environment.name)
        return
    if task.environment.is_dir():
        prepare(task.environment, target)
        if task.kind == "tasks":
            for path in (target, *target.rglob("*")):
                # A checkout's times differ from machine to machine.
                os.utime(path, (_FILE_TIME, _FILE_TIME), follow_symlinks=False)
    else:
        target.mkdir(parents=True)
        done = await _run([task.environment, target, str(task.seed)])
        if done.returncode != 0:
            raise _crashed(task, task.environment, done)
    first_second(target)


async def score(task: Task, final: Path, initial: Path) -> Score:
    """Judge the folder `final`, beside the pristine `initial` where the task's form has that.

    The verdict's message is the last line that the verifier printed, the folder's path in it as
    `.`: the same state has the same message wherever it lies. InfrastructureError where a verifier
    takes too long, and where one of our own form ends in another way, or fails and does not say
    why: it has crashed.
    """
    verifier, final = task.folder / "verify.py", final.absolute()
    if task.kind == "mcpmark":
        done = await _run([verifier], {"FILESYSTEM_TEST_DIR": str(final)})
        output = done.stdout + (done.stderr if done.returncode != _PASSED else b"")
    else:
        done = await _run([verifier, final, initial.absolute()])
        output = done.stdout
        if done.returncode != _PASSED and not (done.returncode == _FAILED and output.strip()):
            raise _crashed(task, verifier, done)
    lines = output.decode(errors="replace").strip().splitlines()
    message = lines[-1].replace(str(final), ".") if lines else ""
    return Score(done.returncode == _PASSED, message)


async def _run(
    arguments: list[Path | str], variables: Mapping[str, str] | None = None
) -> CompletedProcess[bytes]:
    environment = {**os.environ, "TZ": "UTC", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
    with anyio.move_on_after(_SECONDS):
        return await anyio.run_process(
            [sys.executable, "-B", *arguments],
            check=False,
            env={**environment, **(variables or {})},
        )
    raise InfrastructureError("task_script_failed", f"{arguments[0]} took more than {_SECONDS} s")


def _crashed(task: Task, script: Path, done: CompletedProcess[bytes]) -> InfrastructureError:
    output = (done.stdout + done.stderr).decode(errors="replace")
    return InfrastructureError("task_script_failed", f"{task.id}/{script.name}: {output[-2000:]}")
