"""The `controlscope` command: where everything is put together; nothing imports this file."""

import asyncio
import io
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from controlscope.canonical import JsonObject
from controlscope.errors import InfrastructureError, InputError
from controlscope.operations import REPLACE_BOUNDARIES, SCOPES
from controlscope.run_log import read_run
from controlscope.schedules import Never, parse_schedule
from controlscope.tasks import Suite, Task
from executors.worker.boxes.choosing import AUTO, CHOICES
from panels import cli_panel, cli_programs, cli_replay, scripts, show
from panels import doctor as checks
from panels.bench import MEASURES
from panels.console import (
    DID_NOT_HOLD,
    ERR,
    INFRASTRUCTURE,
    INTERRUPTED,
    OUT,
    WRONG_USE,
    emit,
    one_of,
    say,
)
from panels.figures import Figure, NotMeasuredError, figure_table
from panels.launch import execute
from panels.new_task import FIRST_TASK, new_suite
from panels.plans import RunPlan
from panels.programs import load_program
from panels.results import row_of
from panels.server_check import check_server
from panels.suite import SUITES, find_suite, find_task, load_suite
from reviewers.resolve import SCRIPTED, check_planner, resolve_reviewer

__all__ = ["main"]


class _SuiteOrCommand(TyperGroup):
    """Reads `tasks SUITE` as `tasks list SUITE`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands and not args[0].startswith("-"):
            args = ["list", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    help="How much of a running agent program should a reviewer be allowed to change?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
tasks_app = typer.Typer(
    cls=_SuiteOrCommand,
    help="List a suite's tasks, build one's environment, score a folder, write a suite.",
)
app.add_typer(tasks_app, name="tasks")
app.add_typer(cli_panel.app, name="panel")
app.add_typer(cli_programs.app, name="programs")
app.add_typer(cli_replay.app)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Address = Annotated[str, typer.Argument(metavar="SUITE/TASK")]
Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the environment.")]


_INTERRUPTED = "interrupted; the same command goes on from here"


def main() -> None:
    """Run the command; a known failure is one line on standard error and its exit code."""
    # For `module:factory` names of the user's own, as `python -m` would find them.
    sys.path.insert(0, str(Path.cwd()))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal without Unicode gets escapes, not a failure.
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            say(ERR, _INTERRUPTED)
        raise
    except OSError as error:
        # A path of the user's that cannot be read or written.
        _fail(f"{error.filename or ''}: {error.strerror or error}".lstrip(": "), WRONG_USE)
    except (InputError, InfrastructureError, BaseExceptionGroup, KeyboardInterrupt) as error:
        match _first_cause(error):
            case InputError() as cause:
                _fail(" ".join(str(cause).split("\n")), WRONG_USE)
            case InfrastructureError(kind="replay_divergence") as cause:
                _fail(str(cause), DID_NOT_HOLD)
            case InfrastructureError() as cause:
                _fail(" ".join(str(cause).split("\n")), INFRASTRUCTURE)
            case KeyboardInterrupt():
                _fail(_INTERRUPTED, INTERRUPTED)
            case _:
                raise


def _first_cause(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _fail(message: str, status: int) -> NoReturn:
    say(ERR, f"controlscope: {message}", style="red")
    sys.exit(status)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Say what works here, what is missing, and how to get it."""
    found = checks.examine()
    if as_json:
        emit([check.as_json() for check in found])
    else:
        for check in found:
            say(OUT, check.line())
    if not all(check.works for check in found if check.needed):
        raise typer.Exit(INFRASTRUCTURE)


@tasks_app.callback(invoke_without_command=True)
def tasks(context: typer.Context, as_json: AsJson = False) -> None:
    """List the tasks of every built-in suite, or of SUITE: a built-in name or a folder."""
    if context.invoked_subcommand is None:
        _list_tasks(list(_loadable()), as_json)


@tasks_app.command("list", hidden=True)
def tasks_list(context: typer.Context, suite: str, as_json: AsJson = False) -> None:
    """List the tasks of SUITE."""
    before = bool(context.parent and context.parent.params["as_json"])
    _list_tasks([load_suite(find_suite(suite))], as_json or before)


@tasks_app.command("build")
def tasks_build(address: Address, folder: Path, seed: Seed = None) -> None:
    """Build a task's environment into an empty or new FOLDER."""
    task = _with_scripts(address, seed)
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} is not empty")
    asyncio.run(scripts.build(task, folder))


@tasks_app.command("score")
def tasks_score(address: Address, folder: Path, seed: Seed = None, as_json: AsJson = False) -> None:
    """Score FOLDER as if a run had left it; exit 1 where the task is not done."""
    task = _with_scripts(address, seed)
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder")
    with tempfile.TemporaryDirectory() as scratch:
        score = asyncio.run(_score(task, folder, Path(scratch) / "initial"))
    if as_json:
        emit({"success": score["success"], "message": score["message"]})
    else:
        say(OUT, "passed" if score["success"] else f"failed: {score['message']}")
    if not score["success"]:
        raise typer.Exit(DID_NOT_HOLD)


def _with_scripts(address: str, seed: int | None) -> Task:
    """Find a task whose environment is a folder of files."""
    _, task = find_task(address, seed)
    if task.kind in ("appworld", "alfworld"):
        raise InputError(
            f"{address}: its world is no folder, and only a run opens and scores it:"
            f" controlscope run {address} --out RUN"
        )
    return task


@tasks_app.command("new")
def tasks_new(folder: Path) -> None:
    """Write a suite of your own into FOLDER: one small task, which runs at once."""
    new_suite(folder)
    say(OUT, f"controlscope run {folder / FIRST_TASK} --out RUN")


async def _score(task: Task, final: Path, initial: Path) -> JsonObject:
    await scripts.build(task, initial)
    score = await scripts.score(task, final.absolute(), initial)
    return {"success": score.success, "message": score.message}


def _loadable() -> Iterator[Suite]:
    """Load every built-in suite whose data are on this machine, and say which are not."""
    for path in sorted(SUITES.glob("*/suite.toml")):
        try:
            yield load_suite(path.parent)
        except InfrastructureError as error:
            say(ERR, f"not listed: {error.detail}")


def _list_tasks(suites: Sequence[Suite], as_json: bool) -> None:
    for suite in suites:
        for note in suite.notes:
            say(ERR, f"{suite.name}: {note}")
        if suite.left_out:
            categories = ", ".join(sorted({name.split("/")[0] for name in suite.left_out}))
            note = f"{suite.name}: {len(suite.tasks)} tasks; {len(suite.left_out)} are left out"
            say(ERR, f"{note}, of {categories}, which stand outside the 24-task record")
        if suite.only_totals:
            splits = Counter(task.split for task in suite.tasks.values())
            counts = ", ".join(f"{split} {count}" for split, count in splits.items())
            say(ERR, f"{suite.name}: tasks by split: {counts}; single ones are not shown")
    listed: list[JsonObject] = [
        {
            "task": f"{suite.name}/{task.id}",
            "programs": sorted(task.programs),
            "code": task.code,
            "instruction": task.instruction,
        }
        for suite in suites
        if not suite.only_totals
        for task in suite.tasks.values()
    ]
    if as_json:
        emit(listed)
        return
    for item in listed:
        programs = " ".join(item["programs"]) or "no program"
        note = "" if item["code"] else "  (its instruction forbids code)"
        say(OUT, f"{item['task']}  {programs}{note}")


@app.command()
def run(
    address: Address,
    out: Annotated[Path, typer.Option(help="Folder of the new run.")],
    program: Annotated[str, typer.Option(help="P1, P2 or a program's folder.")] = "P1",
    scope: Annotated[str, typer.Option(help="keep, arg, params (AppWorld) or full.")] = "keep",
    replace: Annotated[
        str, typer.Option(help="What a replacement ends: reply or block.")
    ] = "reply",
    schedule: Annotated[
        str, typer.Option(help="never, continuous, per_block, once:K, from:K or protected:N.")
    ] = "continuous",
    reviewer: Annotated[
        str | None,
        typer.Option(
            help="keep, heuristic, overeager, random:SEED, frozen:FILE, human or module:factory;"
            " heuristic where the scope makes reviews."
        ),
    ] = None,
    planner: Annotated[str, typer.Option(help="scripted or module:factory.")] = SCRIPTED,
    worker: Annotated[str, typer.Option(help=f"{', '.join(CHOICES)}.")] = AUTO,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Run one program of one task under one policy."""
    if scope == "keep" and reviewer not in (None, "keep"):
        raise InputError("the scope keep makes no reviews: leave --reviewer out, or widen --scope")
    check_planner(planner)  # A wrong name is told before anything starts.
    suite, task = find_task(address, seed)
    folder = Path(program)
    known = task.programs.get(program)
    if known is None and not folder.is_dir():
        raise InputError(
            f"task {task.id} has {', '.join(task.programs) or 'no program'}, not {program}"
        )
    plan = RunPlan(
        suite=suite,
        task=task,
        program=known or load_program(folder, folder.name),
        condition=one_of(scope, SCOPES, "scope"),
        scope=one_of(scope, SCOPES, "scope"),
        schedule=Never() if scope == "keep" else parse_schedule(schedule),
        reviewer=reviewer or ("keep" if scope == "keep" else "heuristic"),
        replace=one_of(replace, REPLACE_BOUNDARIES, "replacement boundary"),
        planner=planner,
        worker=one_of(worker, CHOICES, "back end"),
    )
    resolve_reviewer(plan.reviewer, plan.replace)
    with tempfile.TemporaryDirectory() as scratch:
        asyncio.run(_build_and_execute(plan, out, Path(scratch) / "initial"))
    row = row_of(read_run(out))
    if as_json:
        emit(row)
    else:
        for line in show.outcome(row, out):
            say(OUT, line)


async def _build_and_execute(plan: RunPlan, out: Path, initial: Path) -> None:
    await scripts.build(plan.task, initial)
    await check_server(plan.suite, initial)
    await execute(plan, out, initial)


@app.command()
def bench(
    runs: Annotated[int, typer.Option(min=1, help="How often each thing is measured.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Measure what the instrument costs here, each figure beside what it is built on."""
    figures = asyncio.run(_measured(runs))
    if as_json:
        emit({"figures": [figure.as_json() for figure in figures]})
    else:
        OUT.print(figure_table(figures))


async def _measured(runs: int) -> list[Figure]:
    figures = []
    for measure in MEASURES:
        try:
            async for figure in measure(runs):
                say(ERR, f"measured: {figure.name}")
                figures.append(figure)
        except NotMeasuredError as missing:
            say(ERR, f"not measured: {missing}")
    return figures


@app.command("show")
def show_run(
    folder: Annotated[Path, typer.Argument(metavar="RUN")],
    boundary: Annotated[int | None, typer.Option(min=0, help="One boundary, from 0.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show a run: all its boundaries, or one with its decision and what followed."""
    record = read_run(folder)
    if as_json:
        emit(show.document(record, boundary))
    elif boundary is None:
        OUT.print(show.overview(record))
    else:
        OUT.print(show.boundary(record, boundary))
