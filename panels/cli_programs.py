"""The command of source programs: generate."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from panels.console import DID_NOT_HOLD, ERR, INFRASTRUCTURE, emit, say
from panels.generation import Generated, generate, wanted_programs
from panels.spec_file import PanelSpec
from panels.suite import find_suite, load_suite
from panels.toml import read_toml

__all__ = ["app"]

app = typer.Typer(help="Source programs, sampled before any comparison.", no_args_is_help=True)


@app.callback()
def programs() -> None:
    """Keep `generate` a command of its own."""


@app.command("generate")
def programs_generate(
    spec: Path,
    out: Annotated[Path, typer.Option(help="Folder of the programs; the same one goes on.")],
    jobs: Annotated[int, typer.Option(min=1, help="Requests at once.")] = 4,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N tasks.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Ask a spec's planner for each task's programs, and freeze them for its `sources`.

    Exit 1 where a reply is no program, 3 where the provider gave none: the same command goes on.
    """
    file = read_toml(spec, PanelSpec)
    suite = load_suite(find_suite(file.suite), file.seed)
    wanted = wanted_programs(file, suite, limit)
    total, count = len(wanted), 0

    def done(found: Generated) -> None:
        nonlocal count
        count += 1
        end = found.problem or ("was there" if found.known else "generated")
        say(ERR, f"{count} of {total}: {found.task} {found.program}: {end}")

    def retried(kind: str, status: int | None, wait: float) -> None:
        say(ERR, f"asked again in {wait:.0f} s: {kind} {status or ''}".rstrip())

    results = asyncio.run(generate(wanted, file, suite, out, jobs, done, retried))
    if as_json:
        emit([found.as_json() for found in results])
    failed = [found for found in results if found.problem]
    if any(found.refused for found in failed):
        say(ERR, f"{len(failed)} of {total} are not there; the same command asks again", "red")
        raise typer.Exit(INFRASTRUCTURE)
    if failed:
        say(ERR, f"{len(failed)} of {total} replies are no program", style="red")
        raise typer.Exit(DID_NOT_HOLD)
    say(ERR, f'{total} programs in {out}: name it in the spec as sources = "{out}"')
