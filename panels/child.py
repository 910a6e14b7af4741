"""A controller process of a panel: one event loop with several runs.

Is told the panel's folder, its limits and the workers' back end. Reads a line a job on standard
input, `run ID` or `audit ID`, answers each with a line of JSON on standard output, and ends with
its parent.
"""

import asyncio
import ctypes
import json
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

from controlscope.errors import InfrastructureError
from panels.folder import PanelFolder
from panels.launch import execute
from panels.plans import RunPlan
from panels.spec import load_panel
from panels.spec_file import ResolvedSpec
from panels.state_audit import audit
from reviewers.limits import Limits, Purse, purse_of

__all__: list[str] = []

_PR_SET_PDEATHSIG = 1


def _end_with_parent() -> None:
    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent == 1 or os.getppid() != parent:
        sys.exit("the panel's own process is gone")


async def _run(job: str, plan: RunPlan, folder: PanelFolder, purse: Purse) -> None:
    answer = {"run": plan.id, "error": ""}
    try:
        await _do(job, plan, folder, purse)
    except InfrastructureError as error:
        answer["error"] = str(error)
    # What else fails ends this process unanswered: it must not read as done.
    print(json.dumps(answer), flush=True)


async def _do(job: str, plan: RunPlan, folder: PanelFolder, purse: Purse) -> None:
    if job == "audit":
        await audit(plan, folder)
        return
    located = folder.located(plan)
    assert isinstance(located, RunPlan), "only eligible runs are started"
    initial = folder.environment(plan.task)
    await execute(located, folder.run(plan), initial, folder.requests, purse)


async def _serve(folder: PanelFolder, limits: Limits, worker: str) -> None:
    panel = load_panel(folder.spec, ResolvedSpec)
    plans = {plan.id: replace(plan, worker=worker) for plan in panel.runs}
    purse = purse_of(limits, panel.spec.models.values())
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    async with asyncio.TaskGroup() as tasks:
        async for line in reader:
            job, run = line.decode().split()
            tasks.create_task(_run(job, plans[run], folder, purse))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent()
    asyncio.run(
        _serve(PanelFolder(Path(sys.argv[1])), Limits.model_validate_json(sys.argv[2]), sys.argv[3])
    )
