"""Run a task's own scripts, which build its environment and judge what a run left, as processes."""

import os
import shutil
import sys
from datetime import timedelta
from pathlib import Path

import anyio

from controlscope.errors import InfrastructureError
from controlscope.roles import Score
from controlscope.tasks import INSTANT, Task

__all__ = ["build", "score"]

_SECONDS = 300
_FILE_TIME = (INSTANT - timedelta(days=1)).timestamp()
_PASSED, _FAILED = 0, 1


async def build(task: Task, target: Path) -> None:
    """Fill the folder `target` with the task's environment; a folder left there is removed."""
    shutil.rmtree(target, ignore_errors=True)
    environment = task.folder / "environment"
    if environment.is_dir():
        shutil.copytree(environment, target, symlinks=True)
        for path in (target, *target.rglob("*")):
            # A checkout's times differ from machine to machine.
            os.utime(path, (_FILE_TIME, _FILE_TIME), follow_symlinks=False)
        return
    target.mkdir(parents=True)
    status, output = await _run(task.folder / "build.py", target, str(task.seed))
    if status != 0:
        raise InfrastructureError("task_script_failed", f"{task.id}/build.py: {output[-2000:]}")


async def score(task: Task, final: Path, initial: Path) -> Score:
    """Judge the folder `final` beside the pristine `initial`: exit 0 passes, 1 fails."""
    status, output = await _run(task.folder / "verify.py", final, initial)
    if status not in (_PASSED, _FAILED):
        raise InfrastructureError("task_script_failed", f"{task.id}/verify.py: {output[-2000:]}")
    lines = output.strip().splitlines()
    return Score(status == _PASSED, lines[-1] if lines else "")


async def _run(script: Path, *arguments: Path | str) -> tuple[int, str]:
    """Run a script; its exit status and output (its errors too where it crashed)."""
    command = [sys.executable, "-B", script, *arguments]
    environment = {**os.environ, "TZ": "UTC", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
    with anyio.move_on_after(_SECONDS):
        done = await anyio.run_process(command, check=False, env=environment)
        crashed = done.returncode not in (_PASSED, _FAILED)
        output = done.stdout + (done.stderr if crashed else b"")
        return done.returncode, output.decode(errors="replace")
    raise InfrastructureError("task_script_failed", f"{script} took more than {_SECONDS} s")
