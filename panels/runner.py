"""Run a panel on this machine: a few controller processes, many runs each, resumable."""

import asyncio
import json
import math
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from controlscope.errors import InfrastructureError
from executors.appworld.data import check_data
from executors.worker.boxes.choosing import AUTO, chosen
from panels import scripts
from panels.folder import PanelFolder
from panels.plans import RunPlan
from panels.server_check import check_server
from panels.spec import Panel
from panels.state_audit import due

__all__ = ["run_panel"]

Job: TypeAlias = Literal["run", "audit"]

Finished = Callable[[RunPlan, str], None]
"""Told of each run that ended, with its infrastructure error or "", and of audits with one."""


async def run_panel(
    panel: Panel, out: Path, jobs: int, finished: Finished, worker: str = AUTO
) -> None:
    """Run what is not done yet, at most `jobs` runs at once, audit a sample of the states, and
    rebuild the results file.

    The results file is rebuilt however this ends; runs that were cut off start again next time.
    Where a limit of the panel's models is reached, no further run starts.
    """
    folder = PanelFolder(out)

    def failed_alone(plan: RunPlan, error: str) -> None:
        if error:
            finished(plan, f"audit: {error}")

    with folder.opened(panel):
        todo = [plan for plan in panel.runs if not folder.run(plan).exists()]
        # Refused before anything starts where no back end works.
        told = [panel.spec.limits.model_dump_json(), chosen(worker).name]
        try:
            worlds = [plan.task for plan in todo if plan.task.kind == "appworld"]
            if worlds:
                check_data(worlds[0].environment, sorted({task.split for task in worlds}))
            await _build_environments(folder, todo)
            if todo:
                await check_server(panel.suite, folder.environment(todo[0].task))
            alone = [plan for plan in todo if not plan.source]
            if await _do_all("run", folder, told, alone, jobs, finished):
                # What Keep did says where these are reviewed, and whether they are assigned at all.
                after = [plan for plan in todo if plan.source]
                eligible = [plan for plan in after if isinstance(folder.located(plan), RunPlan)]
                if await _do_all("run", folder, told, eligible, jobs, finished):
                    audits = list(due(panel, folder))
                    await _do_all("audit", folder, told, audits, jobs, failed_alone)
        finally:
            folder.write_results(panel)


async def _do_all(
    job: Job,
    folder: PanelFolder,
    told: Sequence[str],
    plans: Sequence[RunPlan],
    jobs: int,
    finished: Finished,
) -> bool:
    """Run or audit all of these; tell whether no limit of the panel's models was reached."""
    todo = deque(plans)
    processes = min(jobs, os.cpu_count() or 1, len(todo))
    limited = False

    def ended(plan: RunPlan, error: str) -> None:
        nonlocal limited
        finished(plan, error)
        if error.startswith("limit_reached"):
            # The runs under way end by themselves, at the latest where they would spend more.
            limited = True
            todo.clear()

    async with asyncio.TaskGroup() as group:
        for _ in range(processes):
            slots = math.ceil(jobs / processes)
            group.create_task(_controller(job, folder, told, todo, slots, ended))
    return not limited


async def _build_environments(folder: PanelFolder, todo: Sequence[RunPlan]) -> None:
    tasks = {plan.task.id: plan.task for plan in todo}
    for task in tasks.values():
        target = folder.environment(task)
        if not target.exists():
            partial = target.with_name(target.name + ".partial")
            await scripts.build(task, partial)
            partial.rename(target)


async def _controller(
    job: Job,
    folder: PanelFolder,
    told: Sequence[str],
    todo: deque[RunPlan],
    slots: int,
    finished: Finished,
) -> None:
    """Own one controller process and keep up to `slots` runs in it."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "panels.child", str(folder.path), *told),
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
                await _send(process, f"{job} {plan.id}")
            answer = await _receive(process)
            finished(running.pop(answer["run"]), answer["error"])
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _send(process: Process, job: str) -> None:
    assert process.stdin is not None
    process.stdin.write(job.encode() + b"\n")
    await process.stdin.drain()


async def _receive(process: Process) -> dict[str, str]:
    assert process.stdout is not None
    line = await process.stdout.readline()
    if not line:
        raise InfrastructureError("controller_lost", "a controller process ended; see its error")
    answer: dict[str, str] = json.loads(line)
    return answer
