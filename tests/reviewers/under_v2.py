"""Review a task of this folder by hand under the contract V2: `python -m`, in the folder."""

from dataclasses import replace
from pathlib import Path

import anyio

from controlscope.schedules import Continuous
from panels import scripts
from panels.launch import execute
from panels.plans import RunPlan
from panels.programs import load_program
from panels.suite import find_task


async def _main() -> None:
    suite, task = find_task("mine/example/first")
    plan = RunPlan(
        suite=suite,
        task=replace(task, contract="v2"),
        program=load_program(Path("program"), "program"),
        condition="params",
        scope="params",
        schedule=Continuous(),
        reviewer="human",
        replace="block",
    )
    await scripts.build(task, Path("initial"))
    await execute(plan, Path("RUN"), Path("initial"))


if __name__ == "__main__":
    anyio.run(_main)
