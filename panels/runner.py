"""Run a panel on this machine: a few controller processes, many runs each, resumable."""

import asyncio
import json
import math
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable
from pathlib import Path

from controlscope.errors import InfrastructureError
from panels import scripts
from panels.folder import PanelFolder
from panels.plans import RunPlan
from panels.server_check import check_server
from panels.spec import Panel

__all__ = ["run_panel"]

Finished = Callable[[RunPlan, str], None]
"""Told of each run that ended, with its infrastructure error or ""."""


async def run_panel(panel: Panel, out: Path, jobs: int, finished: Finished) -> None:
    """Run what is not done yet, at most `jobs` runs at once, and rebuild the results file.

    The results file is rebuilt however this ends; runs that were cut off start again next time.
    Where a limit of the panel's models is reached, no further run starts.
    """
    folder = PanelFolder(out)
    with folder.opened(panel):
        todo = deque(plan for plan in panel.runs if not folder.run(plan).exists())
        try:
            await _build_environments(folder, todo)
            if todo:
                await check_server(panel.suite, folder.environment(todo[0].task))
            limits = panel.spec.limits.model_dump_json()
            processes = min(jobs, os.cpu_count() or 1, len(todo))
            async with asyncio.TaskGroup() as group:
                for _ in range(processes):
                    slots = math.ceil(jobs / processes)
                    group.create_task(_controller(folder, limits, todo, slots, finished))
        finally:
            folder.write_results(panel)


async def _build_environments(folder: PanelFolder, todo: deque[RunPlan]) -> None:
    tasks = {plan.task.id: plan.task for plan in todo}
    for task in tasks.values():
        target = folder.environment(task)
        if not target.exists():
            partial = target.with_name(target.name + ".partial")
            await scripts.build(task, partial)
            partial.rename(target)


async def _controller(
    folder: PanelFolder, limits: str, todo: deque[RunPlan], slots: int, finished: Finished
) -> None:
    """Own one controller process and keep up to `slots` runs in it."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "panels.child", folder.path, limits),
        stdin=PIPE,
        stdout=PIPE,
        start_new_session=True,
    )
    try:
        running: dict[str, RunPlan] = {}
        while todo or running:
            while todo and len(running) < slots:
                plan = todo.popleft()
                running[plan.id] = plan
                await _send(process, plan.id)
            answer = await _receive(process)
            finished(running.pop(answer["run"]), answer["error"])
            if answer["error"].startswith("limit_reached"):
                # The runs under way end by themselves, at the latest where they would spend more.
                todo.clear()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _send(process: Process, run: str) -> None:
    assert process.stdin is not None
    process.stdin.write(run.encode() + b"\n")
    await process.stdin.drain()


async def _receive(process: Process) -> dict[str, str]:
    assert process.stdout is not None
    line = await process.stdout.readline()
    if not line:
        raise InfrastructureError("controller_lost", "a controller process ended; see its error")
    answer: dict[str, str] = json.loads(line)
    return answer
