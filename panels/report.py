"""What a panel shows: a group per program, mode, draw and replacement boundary, never pooled."""

from collections import Counter
from collections.abc import Mapping, Set

from controlscope.canonical import JsonObject
from controlscope.run_log import read_run
from panels.folder import PanelFolder
from panels.spec import Group, Panel

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
)
_LEDGERS = ("agent", "reviewer")
_CONTRASTS = (("full", "keep"), ("arg", "keep"), ("full", "arg"))


def report_of(panel: Panel, folder: PanelFolder) -> JsonObject:
    """Build the report's document from the finished runs.

    An offline panel is an instrument check: its programs are authored and its reviewers scripted,
    so nothing may be inferred and `mcnemar_p` and `ci95` are null.
    """
    rows = folder.write_results(panel)
    by_run = {row["run"]: row for row in rows}
    groups = []
    seen: set[str] = set()
    for group in panel.groups:
        groups.append(_group(group, by_run, seen))
        seen |= {plan.id for plans in group.runs.values() for plan in plans}
    return {
        "panel": panel.spec.name,
        "kind": "instrument check",
        "suite": panel.suite.name,
        "seed": panel.spec.seed,
        "groups": groups,
        "audits": {"first_inputs": _audit(rows, 1), "prefixes": _audit(rows, None)},
        "infrastructure": _infrastructure(panel, folder),
        "runs": [{key: row[key] for key in row if key != "state_keys"} for row in rows],
    }


def _group(group: Group, by_run: Mapping[str, JsonObject], seen: Set[str]) -> JsonObject:
    found = {name: [by_run.get(plan.id) for plan in plans] for name, plans in group.runs.items()}
    tasks = {name: {row["task"]: row for row in rows if row} for name, rows in found.items()}
    reused = {name: plans[0].id in seen for name, plans in group.runs.items()}
    return {
        "row": group.row,
        "program": group.program,
        "mode": "scripted",
        "draw": group.draw,
        "replace": group.replace,
        "conditions": {
            name: {"reused": reused[name], **_condition(rows)} for name, rows in found.items()
        },
        "paired": [
            _paired(a, b, tasks[a], tasks[b]) for a, b in _CONTRASTS if a in tasks and b in tasks
        ],
        "tasks": {
            task.id: {
                name: None if row is None else row["run"]
                for name, row in ((name, rows[number]) for name, rows in found.items())
            }
            for number, task in enumerate(plan.task for plan in next(iter(group.runs.values())))
        },
    }


def _condition(rows: list[JsonObject | None]) -> JsonObject:
    scored = [row for row in rows if row]
    return {
        "assigned": len(rows),
        "scored": len(scored),
        "outstanding": len(rows) - len(scored),
        "success": sum(row["success"] for row in scored),
        **{name: sum(row[name] for row in scored) for name in _SUMMED},
        "fallbacks": {
            kind: sum(row["fallbacks"][kind] for row in scored) for kind in ("invalid", "service")
        },
        "endings": dict(sorted(Counter(row["ending"] for row in scored).items())),
        "time_limited": sum(row["time_limited"] for row in scored),
        "unexposed": sum(row["unexposed"] for row in scored),
        "tokens": {ledger: _summed_tokens(scored, ledger) for ledger in _LEDGERS},
    }


def _summed_tokens(rows: list[JsonObject], ledger: str) -> JsonObject:
    total: Counter[str] = Counter()
    for row in rows:
        total.update(row["tokens"][ledger])
    return dict(total)


def _paired(a: str, b: str, of_a: JsonObject, of_b: JsonObject) -> JsonObject:
    """Compare two conditions over the tasks that both have scored."""
    both = [task for task in of_a if task in of_b]
    wins = sum(of_a[task]["success"] > of_b[task]["success"] for task in both)
    losses = sum(of_a[task]["success"] < of_b[task]["success"] for task in both)
    return {
        "a": a,
        "b": b,
        "n": len(both),
        "difference": (wins - losses) / len(both) if both else None,
        "wins": wins,
        "losses": losses,
        "ties": len(both) - wins - losses,
        "mcnemar_p": None,
        "ci95": None,
        "clusters": len({task.split("/")[0] for task in both}),
    }


def _audit(rows: list[JsonObject], boundaries: int | None) -> JsonObject:
    """Count the reviewed runs whose public state equals Keep's, up to their first operation.

    `boundaries` limits the check to that many first boundaries. A run without a Keep run of the
    same task and program is not checked.
    """
    keep = {_pair(row): row["state_keys"] for row in rows if row["condition"] == "keep"}
    checked = [row for row in rows if row["condition"] != "keep" and _pair(row) in keep]
    equal = 0
    for row in checked:
        mine = row["state_keys"][:boundaries]
        equal += mine == keep[_pair(row)][: len(mine)]
    return {"checked": len(checked), "equal": equal}


def _pair(row: JsonObject) -> tuple[str, str]:
    return row["task"], row["program"]


def _infrastructure(panel: Panel, folder: PanelFolder) -> list[JsonObject]:
    """List the runs that something outside the program cut off; they run again on resume."""
    found = []
    for plan in panel.runs:
        partial = folder.run(plan).with_name(plan.id + ".partial")
        if not folder.run(plan).exists() and (partial / "events.jsonl").exists():
            for event in read_run(partial).of_kind("infrastructure_failed"):
                reason = f"{event['error']}: {event['detail']}"
                found.append({"run": plan.id, "condition": plan.condition, "reason": reason})
    return found
