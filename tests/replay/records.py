"""Recorded runs of small programs, read back, replayed and tampered with."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from typer.testing import CliRunner, Result

from controlscope.canonical import JsonObject, encode
from controlscope.run_log import Run, read_run
from panels.cli import app
from panels.recorded import find_recorded
from replay.branch import Branch, Method
from replay.compare import Counts
from replay.grow import grow
from replay.prefix import replay_prefix

READS_AND_WRITES = """\
names = fs.list_directory(path='/workspace')
old = fs.get_file_info(path='/workspace/a.txt')
text = fs.read_text_file(path='/workspace/a.txt')
total = len(text)
print(total)
fs.write_file(path='/workspace/copy.txt', content=text)
new = fs.get_file_info(path='/workspace/copy.txt')
fs.write_file(path='/workspace/done.txt', content='yes')
"""
"""Six calls; `a.txt` keeps its time, `copy.txt` and `done.txt` are the run's own."""


def replayed(folder: Path, boundary: int | None = None) -> Counts:
    """Replay a recorded run, and say what was compared."""

    async def whole() -> Counts:
        scratch = folder.parent / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        recorded = await find_recorded(folder, scratch / "built")
        return await replay_prefix(recorded, boundary, scratch)

    return anyio.run(whole)


def tampered(run: Run, folder: Path, change: Callable[[JsonObject], None], **which: Any) -> Path:
    """Copy a record, and change the one event that has all these values."""
    shutil.copytree(run.folder, folder)
    events = [run.whole(event) for event in run.events]
    (found,) = [event for event in events if which.items() <= event.items()]
    before = encode(found)
    change(found)
    assert encode(found) != before
    (folder / "events.jsonl").write_text("".join(f"{encode(event)}\n" for event in events))
    return folder


def tampered_header(run: Run, folder: Path, **values: Any) -> Path:
    """Copy a record, and change its header."""
    shutil.copytree(run.folder, folder)
    (folder / "run.json").write_text(json.dumps({**run.header, **values}))
    return folder


def keys(folder: Path) -> list[str]:
    """Return the state key of each boundary of a run."""
    return [event["state_key"] for event in read_run(folder).of_kind("boundary")]


def branched(folder: Path, branch: Branch, out: Path, method: Method = "replay") -> Run:
    """Branch a recorded run."""
    (run,) = all_branched(folder, {out: branch}, method)
    return run


def all_branched(folder: Path, wanted: dict[Path, Branch], method: Method) -> list[Run]:
    """Branch a recorded run several times, from one replay where forks are asked for."""
    scratch = next(iter(wanted)).parent / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)

    async def whole() -> list[Run]:
        recorded = await find_recorded(folder, scratch / "built")
        branches = [(branch, out) for out, branch in wanted.items()]
        return await grow(recorded, branches, scratch / "trunk", method)

    runs = anyio.run(whole)
    shutil.rmtree(scratch)
    return runs


def ending(run: Run) -> list[Any]:
    """Return the terminal files and the score of a run."""
    (ended,) = run.of_kind("episode_ended")
    (scored,) = run.of_kind("scored")
    return [ended["ending"], ended["files"], ended["digest"], scored["success"], scored["message"]]


def command(*arguments: object) -> Result:
    """Run the command in this process: its status, its output, and the error that ended it."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])
