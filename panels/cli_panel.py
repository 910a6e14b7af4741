"""The commands of panels: run, report, plan and register."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from controlscope.errors import InfrastructureError, InputError
from executors.worker.boxes.choosing import AUTO, CHOICES
from panels import show, tables
from panels.console import DID_NOT_HOLD, ERR, OUT, emit, one_of, say
from panels.folder import PanelFolder
from panels.forecast import bound_of, extrapolate, fresh_by_model, pilot_lines
from panels.inference import outcomes_of
from panels.plan import Plan, plan_from_pilot, plan_from_rates
from panels.plans import RunPlan
from panels.progress import progress
from panels.register import Contrast, read_registration, register
from panels.report import report_of
from panels.runner import run_panel
from panels.spec import Panel, load_panel
from panels.spec_file import ResolvedSpec
from panels.state_audit import counted
from panels.statistics import Outcomes
from reviewers.limits import purse_of

__all__ = ["app"]

app = typer.Typer(
    help="Run a panel of paired conditions, plan and register it, and report it.",
    no_args_is_help=True,
)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command("run")
def panel_run(
    spec: Path,
    out: Annotated[Path, typer.Option(help="Folder of the panel; the same one resumes it.")],
    jobs: Annotated[int, typer.Option(min=1, help="Runs at once.")] = os.cpu_count() or 1,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N tasks.")] = None,
    pilot: Annotated[
        int | None,
        typer.Option(min=1, help="Only the first N tasks, and what the whole panel would cost."),
    ] = None,
    worker: Annotated[str, typer.Option(help=f"{', '.join(CHOICES)}.")] = AUTO,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would run.")] = False,
) -> None:
    """Run a panel, or go on with one that was interrupted."""
    if limit is not None and pilot is not None:
        raise InputError("--limit and --pilot both choose the tasks: use one of them")
    one_of(worker, CHOICES, "back end")
    panel = load_panel(spec, limit=limit or pilot)
    folder = PanelFolder(out)
    for note in panel.suite.notes:
        say(ERR, f"{panel.suite.name}: {note}")
    if dry_run:
        todo = [plan for plan in panel.runs if not folder.run(plan).exists()]
        done = len(panel.runs) - len(todo)
        say(OUT, f"{len(panel.runs)} runs of {len(panel.tasks)} tasks, {done} of them done")
        if panel.has_models:
            say(OUT, bound_of(todo).line())
        return
    _run(panel, folder, jobs, spec, worker)
    states = counted(panel, folder)
    if states["equal"] != states["checked"]:
        say(
            ERR,
            f"{states['checked'] - states['equal']} audited states differ: see the report",
            "red",
        )
        raise typer.Exit(DID_NOT_HOLD)
    if pilot is not None:
        _say_forecast(panel, load_panel(spec), folder)
    say(OUT, f"{len(panel.runs)} runs done; controlscope panel report {out}")


def _run(panel: Panel, folder: PanelFolder, jobs: int, spec: Path, worker: str) -> None:
    lost: list[str] = []
    with progress(panel, folder, ERR) as show_finished:

        def finished(plan: RunPlan, error: str) -> None:
            show_finished(plan, error)
            if error:
                lost.append(error)

        asyncio.run(run_panel(panel, folder.path, jobs, finished, worker))
    for error in lost:
        kind, _, detail = error.partition(": ")
        if kind == "limit_reached":
            raise InfrastructureError(
                "limit_reached", f"{detail}; raise it in {spec} and run the same command to go on"
            )
    if lost:
        raise InfrastructureError(
            "runs_lost", f"{len(lost)} runs, the first: {lost[0]}; the same command runs them again"
        )


def _say_forecast(pilot: Panel, whole: Panel, folder: PanelFolder) -> None:
    """Say what the whole panel would spend, by what the pilot's tasks did."""
    rows = {row["run"]: row for row in folder.write_results(pilot)}
    spent = fresh_by_model(pilot.runs, rows)
    if not spent:
        say(OUT, "no model is asked: nothing is spent")
        return
    purse = purse_of(whole.spec.limits, whole.spec.models.values())
    by_task = [spent[task.id] for task in pilot.tasks]
    tokens = [sum(each.input + each.output for each in models.values()) for models in by_task]
    costs = [purse.cost(models) for models in by_task]
    known = [cost for cost in costs if cost is not None]
    total = len(whole.tasks)
    cost = extrapolate(known, total) if len(known) == len(costs) else None
    for line in pilot_lines(extrapolate(tokens, total), cost):
        say(OUT, line)


@app.command("report")
def panel_report(
    folder: Annotated[Path, typer.Argument(metavar="PANEL")],
    form: Annotated[str, typer.Option("--format", help="text, json or md.")] = "text",
    registration: Annotated[
        Path | None, typer.Option(help="What was registered before the outcomes.")
    ] = None,
) -> None:
    """Print a panel's report and write it to PANEL/report/."""
    written = PanelFolder(folder)
    panel = load_panel(written.spec, ResolvedSpec)
    registered = None if registration is None else read_registration(registration)
    report = report_of(panel, written, registered)
    forms = tables.forms(report)
    text = forms[one_of(form, tuple(forms), "format")]
    (folder / "report").mkdir(exist_ok=True)
    for name, content in forms.items():
        (folder / "report" / f"report.{name}").write_text(content, encoding="utf-8")
    if any(group["effort"] for group in report["groups"]):
        # Here alone: what draws takes half a second to import.
        from panels.effort_figure import effort_figures

        for name, drawn in effort_figures(report).items():
            (folder / "report" / name).write_bytes(drawn)
    if form != "text":
        sys.stdout.write(text)
        return
    OUT.print(tables.as_renderable(report))
    example = show.first_decision(folder / "runs", report)
    if example is not None:
        OUT.print(example)
    say(OUT, f"report: {folder / 'report' / 'report.md'}")


@app.command("plan")
def panel_plan(
    tasks: Annotated[int, typer.Option(help="Tasks of one row.")],
    p10: Annotated[float | None, typer.Option(help="Rate of tasks won.")] = None,
    p01: Annotated[float | None, typer.Option(help="Rate of tasks lost.")] = None,
    pilot: Annotated[Path | None, typer.Option(help="A panel's folder, for the rates.")] = None,
    contrast: Annotated[str, typer.Option(help="A:B, the difference A − B.")] = "full:keep",
    row: Annotated[str | None, typer.Option(help="The pilot's row; its first by default.")] = None,
    draws: Annotated[int, typer.Option(help="Draws of each row.")] = 1,
    alpha: Annotated[float, typer.Option(help="Chance of a false rejection.")] = 0.05,
    power: Annotated[float, typer.Option(help="Power that is aimed at.")] = 0.8,
    as_json: AsJson = False,
) -> None:
    """Say what a panel can show: power, tasks needed, the minimum detectable difference."""
    if pilot is not None and p10 is None and p01 is None:
        a, b = _outcomes(pilot, row, _contrast(contrast))
        plan = plan_from_pilot(a, b, tasks=tasks, draws=draws, alpha=alpha, power=power)
    elif pilot is None and p10 is not None and p01 is not None:
        plan = plan_from_rates(p10, p01, tasks=tasks, draws=draws, alpha=alpha, power=power)
    else:
        raise InputError("give the rates, --p10 and --p01, or a --pilot to take them from")
    if as_json:
        emit(plan.as_json())
    else:
        for line in _plan_lines(plan):
            say(OUT, line)


def _outcomes(folder: Path, row: str | None, contrast: Contrast) -> tuple[Outcomes, Outcomes]:
    written = PanelFolder(folder)
    panel = load_panel(written.spec, ResolvedSpec)
    by_run = {found["run"]: found for found in written.write_results(panel)}
    for group in panel.groups:
        if row in (None, group.row):
            missing = [name for name in contrast if name not in group.runs]
            if missing:
                raise InputError(f"contrast: the pilot has no condition {missing[0]!r}")
            a, b = (outcomes_of(group.runs[name], by_run) for name in contrast)
            return a, b
    raise InputError(f"row: the pilot has no row {row!r}")


def _plan_lines(plan: Plan) -> list[str]:
    needed = "—" if plan.tasks_needed is None else f"{plan.tasks_needed:,}"
    least = "—" if plan.minimum_detectable is None else f"{plan.minimum_detectable:.4f}"
    return [
        f"rates: {plan.p10:.4f} won, {plan.p01:.4f} lost; alpha {plan.alpha_row:g} a row",
        f"power with {plan.tasks:,} tasks: {plan.power:.3f}",
        f"tasks needed for a power of {plan.power_goal:g}: {needed}",
        f"minimum detectable difference with {plan.tasks:,} tasks: {least}",
    ]


@app.command("register")
def panel_register(
    spec: Path,
    out: Annotated[Path, typer.Option(help="File of the registration.")],
    stopping: Annotated[str, typer.Option(help="In words, when the panel is over.")],
    primary: Annotated[str, typer.Option(help="A:B, the one contrast that is confirmed.")],
    exclude: Annotated[
        list[str] | None, typer.Option(help="TASK=REASON of a task that is left out.")
    ] = None,
) -> None:
    """Write down a panel's spec, primary contrast, exclusions and stopping rule, with hashes."""
    if out.exists():
        raise InputError(f"{out} exists already: a registration is not replaced")
    exclusions = dict(_exclusion(text) for text in exclude or ())
    document = register(load_panel(spec).resolved(), exclusions, _contrast(primary), stopping)
    out.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    say(OUT, f"registered: {document['hash']}")


def _contrast(text: str) -> Contrast:
    a, colon, b = text.partition(":")
    if not (a and colon and b):
        raise InputError(f"{text!r} is no contrast: write A:B, such as full:keep")
    return a, b


def _exclusion(text: str) -> tuple[str, str]:
    task, equals, reason = text.partition("=")
    if not (task and equals):
        raise InputError(f"exclude: {text!r} is not TASK=REASON")
    return task, reason
