"""The commands that run a recorded run again: `replay …` and `branch`."""

import asyncio
import json
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from panels.recorded import find_recorded
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

    async def replayed(scratch: Path) -> None:
        recorded = await find_recorded(folder, scratch / "built")
        counts = await replay_prefix(recorded, boundary, scratch)
        typer.echo(json.dumps(asdict(counts), indent=2) if as_json else str(counts))

    _beside(folder, replayed)


def _beside(folder: Path, work: Callable[[Path], Awaitable[T]]) -> T:
    """Do something with a scratch folder on the file system of a run.

    The order in which a folder lists is its file system's own.
    """

    async def whole() -> T:
        with tempfile.TemporaryDirectory(prefix=".replay-", dir=folder.resolve().parent) as scratch:
            return await work(Path(scratch))

    return asyncio.run(whole())
