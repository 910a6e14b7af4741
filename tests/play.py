"""Run a small program through everything that is real: worker, server, loop and log."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace as with_parts
from pathlib import Path

import anyio

from controlscope.budgets import Budget, Contract
from controlscope.canonical import JsonObject
from controlscope.operations import ReplaceBoundary, Scope
from controlscope.roles import Fallback
from controlscope.run_log import Run, read_run
from controlscope.schedules import parse_schedule
from controlscope.tasks import SourceProgram
from executors.worker.boxes.choosing import AUTO
from panels import scripts
from panels.launch import execute
from panels.plans import RunPlan
from panels.programs import load_program
from panels.results import row_of
from panels.suite import find_task

READ_A = 'print(fs.read_text_file(path="/workspace/a.txt"))\n'
READ_B = 'print(fs.read_text_file(path="/workspace/b.txt"))\n'
DONE = 'fs.write_file(path="/workspace/done.txt", content="yes")\n'
VERIFY = """
import sys
from pathlib import Path
done = (Path(sys.argv[1]) / "done.txt").exists()
print("done.txt is there" if done else "done.txt is missing")
sys.exit(not done)
"""


def write_suite(
    folder: Path, files: Mapping[str, str | bytes], budget: str = "", verify: str = VERIFY
) -> str:
    """Write a suite with one task, scored by whether done.txt exists; return SUITE/TASK."""
    task = folder / "suite" / "small" / "task"
    (task / "environment").mkdir(parents=True)
    for name, content in files.items():
        path = task / "environment" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    (folder / "suite" / "suite.toml").write_text(
        '[suite]\nname = "small"\nproxy = "fs"\nseed = 1\n[environment]\nserver = "filesystem"\n'
    )
    (task / "task.toml").write_text(f"[budget]\n{budget}\n")
    (task / "instruction.md").write_text("Write done.txt.\n")
    (task / "verify.py").write_text(verify)
    return f"{folder / 'suite'}/small/task"


def play(
    folder: Path,
    program: Sequence[str | Sequence[str]],
    *,
    files: Mapping[str, str | bytes] | None = None,
    scope: Scope = "keep",
    decisions: Sequence[JsonObject] = (),
    reviewer: str = "",
    schedule: str = "continuous",
    replace: ReplaceBoundary = "reply",
    fallback: Fallback = "keep",
    worker: str = AUTO,
    budget: str = "",
    verify: str = VERIFY,
    contract: Contract | None = None,
    limits: Budget | None = None,
) -> tuple[Run, JsonObject]:
    """Run a program, a reply a string (or several blocks), and return its log and its row.

    `decisions` are the entries of a frozen file; another reviewer is given by its name. `contract`
    and `limits` are what no file of this suite can say.
    """
    address = write_suite(folder, files or {"a.txt": "alpha\n", "b.txt": "beta\n"}, budget, verify)
    code = folder / "program"
    code.mkdir()
    for number, reply in enumerate(program, start=1):
        blocks = [("", reply)] if isinstance(reply, str) else zip("abcdef", reply, strict=False)
        for letter, block in blocks:
            (code / f"{number:02}{letter}.py").write_text(block)
    return play_task(
        folder,
        address,
        load_program(code, "test"),
        scope=scope,
        decisions=decisions,
        reviewer=reviewer,
        schedule=schedule,
        replace=replace,
        fallback=fallback,
        worker=worker,
        contract=contract,
        limits=limits,
    )


def play_task(
    folder: Path,
    address: str,
    program: SourceProgram | None = None,
    *,
    scope: Scope = "keep",
    decisions: Sequence[JsonObject] = (),
    reviewer: str = "",
    schedule: str = "continuous",
    replace: ReplaceBoundary = "reply",
    fallback: Fallback = "keep",
    worker: str = AUTO,
    contract: Contract | None = None,
    limits: Budget | None = None,
) -> tuple[Run, JsonObject]:
    """Run a program of a task SUITE/TASK, its own P1 by default, into `folder/run`."""
    folder.mkdir(exist_ok=True)
    (folder / "frozen.json").write_text(json.dumps(list(decisions)))
    suite, task = find_task(address)
    task = with_parts(task, contract=contract, budget=limits or task.budget)
    plan = RunPlan(
        suite=suite,
        task=task,
        program=program or task.programs["P1"],
        condition=scope,
        scope=scope,
        schedule=parse_schedule("never" if scope == "keep" else schedule),
        reviewer=reviewer or f"frozen:{folder / 'frozen.json'}",
        replace=replace,
        fallback=fallback,
        worker=worker,
    )

    async def whole_run() -> None:
        await scripts.build(task, folder / "initial")
        await execute(plan, folder / "run", folder / "initial")

    anyio.run(whole_run)
    run = read_run(folder / "run")
    return run, row_of(run)


def calls(run: Run) -> list[tuple[str, JsonObject]]:
    """Return the tools and arguments of the calls that were made."""
    return [(event["tool"], event["arguments"]) for event in run.of_kind("call_completed")]
