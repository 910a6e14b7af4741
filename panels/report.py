"""What a panel shows: a group per program, mode, draw and replacement boundary, never pooled."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict

from controlscope.budgets import Refused
from controlscope.canonical import JsonObject
from controlscope.run_log import read_run
from panels.audits import audits_of
from panels.decisions import decisions_of
from panels.effort import effort_of
from panels.eligible import eligible
from panels.folder import PanelFolder
from panels.goals import goals_of
from panels.inference import (
    by_operation,
    contrasts_of,
    inferred,
    outcomes_of,
    valid_replies,
)
from panels.plans import RunPlan
from panels.register import compare
from panels.spec import Group, Panel
from panels.spending import LEDGERS, costs_of, tokens_of
from panels.statistics import Floor, Outcomes, noise_floor
from panels.totals import totals_of

__all__ = ["report_of"]

_SUMMED = (
    "calls",
    "reviews",
    "keeps",
    "patches",
    "parameters",
    "replacements",
    "no_op",
    "rejected",
    "planner_turns",
    "suppressed",
)


def report_of(
    panel: Panel, folder: PanelFolder, registration: JsonObject | None = None
) -> JsonObject:
    """Build the report's document from the finished runs.

    An offline panel is an instrument check: its programs are authored and its reviewers scripted,
    so nothing may be inferred and `mcnemar_p` and `ci95` are null. With a registration each
    contrast says whether it is registered, deviated or exploratory.
    """
    rows = folder.write_results(panel)
    by_run = {row["run"]: row for row in rows}
    programs = {group.program for group in panel.groups}
    floors = {name: noise_floor(_keeps(panel, name, by_run)) for name in programs}
    groups = []
    seen: set[str] = set()
    for assigned in panel.groups:
        group, excluded = eligible(assigned, folder)
        found = _group(panel, group, by_run, seen, floors[group.program])
        found["splits"] = goals_of(panel, group, by_run)
        groups.append({**found, "eligibility": excluded})
        seen |= {plan.id for plans in group.runs.values() for plan in plans}
    if registration is not None:
        _add_standings(groups, registration, panel.resolved())
    report = {
        "panel": panel.spec.name,
        "kind": "model panel" if panel.has_models else "instrument check",
        "suite": panel.suite.name,
        "label": panel.suite.label,
        "only_totals": panel.suite.only_totals,
        "seed": panel.spec.seed,
        "share": panel.spec.share,
        "registration": None if registration is None else _registered(registration),
        "groups": groups,
        "decisions": decisions_of(panel, by_run),
        "audits": audits_of(panel, by_run, folder),
        "infrastructure": _infrastructure(panel, folder),
        "runs": [{key: row[key] for key in row if key != "state_keys"} for row in rows],
    }
    return totals_of(report) if panel.suite.only_totals else report


def _keeps(panel: Panel, program: str, by_run: Mapping[str, JsonObject]) -> list[Outcomes]:
    """Return the draws of Keep of a program: the shared one, and those with planning anew."""
    draws = {
        tuple(plan.id for plan in plans): plans
        for group in panel.groups
        if group.program == program
        for plans in group.runs.values()
        if plans and plans[0].scope == "keep" and plans[0].offered is None
    }
    return [outcomes_of(plans, by_run) for plans in draws.values()]


def _add_standings(groups: list[JsonObject], registration: JsonObject, spec: JsonObject) -> None:
    for group in groups:
        for pair in group["paired"]:
            standing = compare(registration, spec, (pair["a"], pair["b"]))
            pair |= {"status": standing.status, "deviations": list(standing.differences)}


def _registered(registration: JsonObject) -> JsonObject:
    return {name: registration[name] for name in ("hash", "primary", "exclusions", "stopping")}


def _group(
    panel: Panel,
    group: Group,
    by_run: Mapping[str, JsonObject],
    seen: Set[str],
    floor: Floor | None,
) -> JsonObject:
    found = {name: [by_run.get(plan.id) for plan in plans] for name, plans in group.runs.items()}
    by_task = {
        name: {plan.task.id: row for plan, row in zip(group.runs[name], rows, strict=True)}
        for name, rows in found.items()
    }
    paired = inferred(
        contrasts_of(panel.spec),
        {name: outcomes_of(plans, by_run) for name, plans in group.runs.items()},
        {task.id: task.category for task in panel.tasks},
        seed=panel.spec.seed,
        floor=floor,
        model_panel=panel.has_models,
    )
    return {
        "row": group.row,
        "program": group.program,
        "mode": _mode(group),
        "draw": group.draw,
        "replace": group.replace,
        "conditions": {
            name: {
                "reused": bool(plans) and plans[0].id in seen,
                **_condition(plans, found[name]),
            }
            for name, plans in group.runs.items()
        },
        "effort": effort_of(found) if panel.tasks[0].kind == "alfworld" else None,
        "paired": paired,
        "floor": None if floor is None else asdict(floor),
        "by_operation": {
            name: by_operation(rows, by_task["keep"])
            for name, rows in by_task.items()
            if panel.has_models and "keep" in by_task and panel.spec.conditions[name].reviews
        },
        "tasks": {
            task.id: {
                name: None if row is None else row["run"]
                for name, row in ((name, rows[task.id]) for name, rows in by_task.items())
            }
            for task in panel.tasks
            if all(task.id in rows for rows in by_task.values())
        },
        "without_context_limited": _without_context_limited(by_task),
    }


def _without_context_limited(
    by_task: Mapping[str, Mapping[str, JsonObject | None]],
) -> JsonObject | None:
    """Count success again without the tasks where a model was asked for more than it takes."""
    limited = {
        task
        for rows in by_task.values()
        for task, row in rows.items()
        if row is not None and row["context_limited"]
    }
    if not limited:
        return None
    return {
        "left_out": sorted(limited),
        "success": {
            name: sum(
                bool(row and row["success"]) for task, row in rows.items() if task not in limited
            )
            for name, rows in by_task.items()
        },
    }


def _mode(group: Group) -> str:
    """Name the mode, or the modes, of the row's reviewed conditions."""
    reviewed = {plan.mode for plans in group.runs.values() for plan in plans if plan.reviewed}
    return " and ".join(sorted(reviewed)) or "scripted"


def _condition(plans: Sequence[RunPlan], rows: Sequence[JsonObject | None]) -> JsonObject:
    scored = [row for row in rows if row]
    tokens = {ledger: tokens_of(scored, ledger) for ledger in LEDGERS}
    return {
        "assigned": len(rows),
        "scored": len(scored),
        "outstanding": len(rows) - len(scored),
        "success": sum(row["success"] for row in scored),
        **{name: sum(row[name] for row in scored) for name in _SUMMED},
        "fallbacks": {
            kind: sum(row["fallbacks"][kind] for row in scored) for kind in ("invalid", "service")
        },
        "refused": {
            kind: sum(row["refused"][kind] for row in scored) for kind in asdict(Refused())
        },
        "endings": dict(sorted(Counter(row["ending"] for row in scored).items())),
        "activated": sum(row["suppressed"] > 0 for row in scored),
        "time_limited": sum(row["time_limited"] for row in scored),
        "unexposed": sum(row["unexposed"] for row in scored),
        "valid_replies": valid_replies(scored),
        "tokens": tokens,
        "cost": costs_of(plans, tokens),
    }


def _infrastructure(panel: Panel, folder: PanelFolder) -> list[JsonObject]:
    """List the runs that something outside the program cut off; they run again on resume.

    A run that a limit of ours cut off is outstanding, and lost to nothing.
    """
    found = []
    for plan in panel.runs:
        partial = folder.run(plan).with_name(plan.id + ".partial")
        if not folder.run(plan).exists() and (partial / "events.jsonl").exists():
            for event in read_run(partial).of_kind("infrastructure_failed"):
                if event["error"] == "limit_reached":
                    continue
                reason = f"{event['error']}: {event['detail']}"
                found.append({"run": plan.id, "condition": plan.condition, "reason": reason})
    return found
