"""What every run of a panel must share with others, counted: checked, and equal."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from controlscope.canonical import JsonObject, digest
from panels.plans import RunPlan
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


def audits_of(
    plans: Sequence[RunPlan], by_run: Mapping[str, JsonObject], requests: Path
) -> JsonObject:
    """Audit the finished runs of a panel whose request cache is `requests`.

    first_inputs, prefixes: public states against Keep's, at the first boundary and up to the first
    operation; a run that plans with draws of its own has its own states after its source, and is
    not in `prefixes`. queues: queued blocks at the first boundary. first_requests: the first review
    of another mode against fast mode's, in all that a mode does not add.
    """
    finished = [plan for plan in plans if plan.id in by_run]
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
        "first_inputs": _counted(_equal_keys(row, base, 1) for _, row, base in pairs),
        "prefixes": _counted(_equal_keys(row, base, None) for row, base in shared),
        "queues": _counted(row[queued] == base[queued] for _, row, base in pairs),
        "first_requests": _counted(_first_requests(finished, by_run, requests)),
    }


def _counted(checks: Iterator[bool]) -> JsonObject:
    found = list(checks)
    return {"checked": len(found), "equal": sum(found)}


def _equal_keys(row: JsonObject, base: JsonObject, boundaries: int | None) -> bool:
    mine = row["state_keys"][:boundaries]
    return bool(mine == base["state_keys"][: len(mine)])


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
