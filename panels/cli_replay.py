"""The commands that run a recorded run again: `replay …` and `branch`."""

import asyncio
import json
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from controlscope.errors import InputError, InvalidReviewError
from controlscope.operations import Operation, parse_operation
from controlscope.run_log import Run, read_run
from panels.recorded import find_recorded
from replay.branch import METHODS, Branch, Method
from replay.diagnostics import Edit, candidates, decided, retained, shared_patches
from replay.grow import grow
from replay.prefix import replay_prefix

__all__ = ["app"]

T = TypeVar("T")

app = typer.Typer()
replay_app = typer.Typer(
    help="Run a recorded run again, and hold it against its record.", no_args_is_help=True
)
app.add_typer(replay_app, name="replay")

RunFolder = Annotated[Path, typer.Argument(metavar="RUN")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@replay_app.command("prefix")
def prefix(
    folder: RunFolder,
    boundary: Annotated[int | None, typer.Option(min=0, help="As far as here, from 0.")] = None,
    as_json: AsJson = False,
) -> None:
    """Rebuild a run up to a boundary, or to its end; exit 1 at the first difference."""

    async def work(scratch: Path) -> None:
        recorded = await find_recorded(folder, scratch / "built")
        counts = await replay_prefix(recorded, boundary, scratch)
        typer.echo(json.dumps(asdict(counts), indent=2) if as_json else str(counts))

    _beside(folder, work)


@replay_app.command("candidates")
def replay_candidates(folder: RunFolder, as_json: AsJson = False) -> None:
    """Run each replacement of a run alone, to its block's end or the budget, and score it."""

    async def work(scratch: Path) -> None:
        recorded = await find_recorded(folder, scratch / "built")
        found = await candidates(recorded, scratch)
        if as_json:
            _emit([asdict(candidate) for candidate in found])
            return
        rows = [
            (each.boundary, _yes(each.goal), _yes(each.finished), each.ending, each.calls)
            for each in found
        ]
        _table(("boundary", "goal", "block finished", "ending", "calls"), rows)
        goals, finished = (
            sum(each.goal for each in found),
            sum(each.goal and each.finished for each in found),
        )
        typer.echo(
            f"{goals} of {len(found)} reach the goal, {finished} of these finish their block"
        )

    _beside(folder, work)


@replay_app.command("retain")
def replay_retain(
    panel: Annotated[Path, typer.Argument(metavar="PANEL")], as_json: AsJson = False
) -> None:
    """Keep only the first replacement of every run that has one, beside the run as it was."""

    runs = _runs_of(panel, "replace")

    async def work(scratch: Path) -> None:
        found = []
        for run in runs:
            recorded = await find_recorded(run.folder, scratch / "built")
            found.append(await retained(recorded, scratch / run.folder.name))
        if as_json:
            _emit([asdict(pair) for pair in found])
            return
        rows = [
            (
                *(pair.task, pair.program, pair.condition, pair.draw, pair.boundary),
                *(_passed(pair.sustained), _passed(pair.retained), pair.retained_ending),
            )
            for pair in found
        ]
        names = ("task", "program", "condition", "draw", "boundary", "sustained", "retained")
        _table((*names, "ending"), rows)
        wins = sum(pair.retained > pair.sustained for pair in found)
        losses = sum(pair.retained < pair.sustained for pair in found)
        typer.echo(
            f"sustained {sum(pair.sustained for pair in found)} of {len(found)},"
            f" retained {sum(pair.retained for pair in found)}: {wins} gained, {losses} lost"
        )

    _beside(panel / "runs", work)


@replay_app.command("shared-patch")
def replay_shared_patch(
    folder: Annotated[Path, typer.Argument(metavar="RUN|PANEL")], as_json: AsJson = False
) -> None:
    """Run each effective patch under the labels Arg and Full; exit 1 where they differ."""

    async def work(scratch: Path) -> bool:
        found = []
        for run in _runs_of(folder, "patch") if _is_panel(folder) else [read_run(folder)]:
            recorded = await find_recorded(run.folder, scratch / "built")
            found += await shared_patches(recorded, scratch / run.folder.name)
        differing = [patch for patch in found if patch.difference is not None]
        if as_json:
            _emit([asdict(patch) for patch in found])
        else:
            rows = [
                (
                    *(patch.run, patch.boundary, patch.calls, _passed(patch.success)),
                    "same" if patch.difference is None else f"differ: {patch.difference}",
                )
                for patch in found
            ]
            _table(("run", "boundary", "calls", "outcome", "Arg and Full"), rows)
            same = len(found) - len(differing)
            typer.echo(f"{len(found)} patches, {same} with equal traces, files and scores")
        return not differing

    if not _beside(folder / "runs" if _is_panel(folder) else folder, work):
        raise typer.Exit(1)


@app.command("branch")
def branch(
    folder: RunFolder,
    boundary: Annotated[int, typer.Option(min=0, help="Where the branches part, from 0.")],
    operation: Annotated[list[Path], typer.Option(help="A JSON file; once for each branch.")],
    out: Annotated[Path, typer.Option(help="Folder of the new runs, named as the files are.")],
    method: Annotated[str, typer.Option(help="fork or replay.")] = "fork",
    as_json: AsJson = False,
) -> None:
    """Go on from one state of a run with one operation or another, and Keep from there on."""
    names = [path.stem for path in operation]
    if len(set(names)) < len(names):
        raise InputError(
            "two operation files have one name: a branch's run is named after its file"
        )
    branches = {path.stem: Branch(boundary, _read_operation(path)) for path in operation}
    if out.exists() and any(out.iterdir()):
        raise InputError(f"{out} is not empty: choose another --out")
    chosen = _method(method)
    out.mkdir(parents=True, exist_ok=True)

    async def work(scratch: Path) -> list[Run]:
        recorded = await find_recorded(folder, scratch / "built")
        wanted = [(each, out / name) for name, each in branches.items()]
        return await grow(recorded, wanted, scratch / "trunk", chosen)

    runs = _beside(folder, work)
    rows = [
        {"branch": name, **_branch_row(run, boundary)}
        for name, run in zip(names, runs, strict=True)
    ]
    if as_json:
        _emit(rows)
        return
    columns = ("branch", "operation", "success", "ending", "calls", "method", "state_key")
    _table(columns, [tuple(row[column] for column in columns) for row in rows])
    for name in names:
        typer.echo(f"controlscope show {out / name} --boundary {boundary}")


def _method(name: str) -> Method:
    for method in METHODS:
        if name == method:
            return method
    raise InputError(f"unknown method {name!r}: use {' or '.join(METHODS)}")


def _branch_row(run: Run, boundary: int) -> dict[str, Any]:
    events = {event["kind"]: event for event in run.events}
    decision = next(
        event for event in run.of_kind("review_decided") if event["boundary"] == boundary
    )
    return {
        "run": str(run.folder),
        "operation": decision["realized"],
        "reason": decision["reason"],
        "success": events["scored"]["success"],
        "message": events["scored"]["message"],
        "ending": events["episode_ended"]["ending"],
        "calls": sum(event["kind"] == "call_completed" for event in run.events),
        "state_key": run.header["lineage"]["branch_point"]["state_key"],
        "method": run.header["lineage"]["method"],
    }


def _read_operation(path: Path) -> Operation:
    try:
        return parse_operation(json.loads(path.read_bytes()))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read as JSON: {error}") from None
    except InvalidReviewError as error:
        raise InputError(f"{path}: {error}") from None


def _is_panel(folder: Path) -> bool:
    return (folder / "panel.toml").is_file()


def _runs_of(panel: Path, edit: Edit) -> list[Run]:
    """Return a panel's finished runs that have an effective edit of a kind."""
    if not _is_panel(panel):
        raise InputError(f"{panel} is no panel: it has no panel.toml")
    folders = sorted(path.parent for path in panel.glob("runs/*/run.json"))
    runs = [read_run(path) for path in folders if path.suffix != ".partial"]
    return [run for run in runs if any(decided(run, edit))]


def _beside(folder: Path, work: Callable[[Path], Awaitable[T]]) -> T:
    """Do something with a scratch folder on the file system of a run.

    The order in which a folder lists is its file system's own.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder")

    async def whole() -> T:
        with tempfile.TemporaryDirectory(prefix=".replay-", dir=folder.resolve().parent) as scratch:
            return await work(Path(scratch))

    return asyncio.run(whole())


def _table(names: Sequence[str], rows: Sequence[tuple[object, ...]]) -> None:
    """Print columns that are as wide as they need, so that a line can be searched and cut."""
    lines = [tuple(map(str, line)) for line in (names, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        typer.echo("  ".join(cells).rstrip())


def _emit(document: object) -> None:
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _passed(value: bool) -> str:
    return "passed" if value else "failed"
