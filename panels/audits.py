"""What every run of a panel must share with others, counted: checked, and equal."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from controlscope.canonical import JsonObject, digest
from panels.folder import PanelFolder
from panels.plans import RunPlan
from panels.spec import Panel
from panels.state_audit import counted
from reviewers.request_cache import RequestCache

__all__ = ["audits_of"]

_PARTS = (
    "model",
    "messages",
    "tools",
    "tool_choice",
    "response_format",
    "max_tokens",
    "max_completion_tokens",
)
"""What the first requests of two modes share: all but what the mode itself adds."""


def audits_of(panel: Panel, by_run: Mapping[str, JsonObject], folder: PanelFolder) -> JsonObject:
    """Audit the finished runs of a panel.

    state_keys: a sample of the states, forked, replayed and as recorded (`panels/state_audit.py`).
    first_inputs, prefixes: public states against Keep's, at the first boundary and up to the first
    operation; a run that plans with draws of its own has its own states after its source, and is
    not in `prefixes`. queues: queued blocks at the first boundary. operations: reviews that came
    about as decided; budgets: boundaries that count on from their run's one budget
    (`panels/revisions.py`). view_masks: the views that were to hide something, and those that did.
    shared_reviews: the decisions that conditions share, where both came that far. first_requests:
    the first review of another mode against fast mode's, in all that a mode does not add.
    """
    finished = [plan for plan in panel.runs if plan.id in by_run]
    keep = {
        (plan.task.id, plan.program.name): by_run[plan.id]
        for plan in finished
        if plan.condition == "keep"
    }
    pairs = [
        (plan, by_run[plan.id], keep[plan.task.id, plan.program.name])
        for plan in finished
        if plan.condition != "keep" and (plan.task.id, plan.program.name) in keep
    ]
    shared = [(row, base) for plan, row, base in pairs if not plan.models.planner_draw]
    queued = "queue_at_first_boundary"
    return {
        "state_keys": counted(panel, folder),
        "first_inputs": _counted(_equal_keys(row, base, 1) for _, row, base in pairs),
        "prefixes": _counted(_equal_keys(row, base, None) for row, base in shared),
        "queues": _counted(row[queued] == base[queued] for _, row, base in pairs),
        "operations": _added(by_run, "operation_check"),
        "budgets": _added(by_run, "budget_check"),
        "view_masks": _added(by_run, "view_mask"),
        "shared_reviews": _counted(_shared_reviews(finished, by_run)),
        "first_requests": _counted(_first_requests(finished, by_run, folder.requests)),
    }


def _added(by_run: Mapping[str, JsonObject], check: str) -> JsonObject:
    return {part: sum(row[check][part] for row in by_run.values()) for part in ("checked", "equal")}


def _counted(checks: Iterator[bool]) -> JsonObject:
    found = list(checks)
    return {"checked": len(found), "equal": sum(found)}


def _equal_keys(row: JsonObject, base: JsonObject, boundaries: int | None) -> bool:
    mine = row["state_keys"][:boundaries]
    return bool(mine == base["state_keys"][: len(mine)])


def _shared_reviews(plans: Sequence[RunPlan], by_run: Mapping[str, JsonObject]) -> Iterator[bool]:
    """Compare what runs that offer the same decided, as far as their spec has them share it."""
    alike: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for plan in plans:
        until = plan.models.share_until
        decided = by_run[plan.id]["decided"].get(until)
        if decided is not None:
            offered = plan.offered or plan.scope
            key = (plan.task.id, plan.program.name, plan.row, plan.draw, offered)
            alike[key].append(decided)
    for found in alike.values():
        yield from (other == found[0] for other in found[1:])


def _first_requests(
    plans: Sequence[RunPlan], by_run: Mapping[str, JsonObject], requests: Path
) -> Iterator[bool]:
    """Compare each first request of a mode that is not fast with fast ones of the same choice."""
    alike: dict[tuple[object, ...], list[tuple[str, str]]] = defaultdict(list)
    for plan in plans:
        asked = by_run[plan.id]["first_request"]
        if asked is not None and plan.models.reviewer is not None:
            policy = (plan.condition, str(plan.schedule), plan.replace)
            choice = plan.models.reviewer.tool_choice
            key = (plan.task.id, plan.program.name, *policy, choice)
            alike[key].append((plan.mode, asked))
    if not requests.exists():
        return
    with RequestCache(requests) as cache:
        for found in alike.values():
            fast = {_shared(cache, asked) for mode, asked in found if mode == "fast"}
            for mode, asked in found:
                if fast and mode != "fast":
                    yield fast == {_shared(cache, asked)}


def _shared(cache: RequestCache, asked: str) -> str:
    request = cache.request(asked)
    return digest({part: request.get(part) for part in _PARTS})
