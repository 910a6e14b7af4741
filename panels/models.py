"""Who plans and reviews in a run: scripts, or a panel's models over its request cache."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

from controlscope.boundaries import Boundary
from controlscope.roles import EventLog, Planner, Reviewer
from controlscope.tools import Tool
from panels.plans import RunPlan
from reviewers.controls import Offered
from reviewers.endpoint import Endpoint
from reviewers.limits import Purse
from reviewers.model import ModelReviewer
from reviewers.model_planner import ModelPlanner
from reviewers.request_cache import RequestCache
from reviewers.resolve import resolve_planner, resolve_reviewer
from reviewers.settings import ModelSettings
from reviewers.transport import open_client
from reviewers.views import Viewed

__all__ = ["cast"]

_MakeEndpoint: TypeAlias = Callable[[ModelSettings], Endpoint]


@asynccontextmanager
async def cast(
    plan: RunPlan,
    tools: Mapping[str, Tool],
    log: EventLog,
    requests: Path | None,
    purse: Purse,
) -> AsyncIterator[tuple[Planner, Reviewer]]:
    """Give a run its planner and its reviewer.

    `requests` is the panel's request cache, `purse` what all of its runs may spend together.

    Each retry of a request is logged, and is no new decision. InputError where a model is asked
    for and no key is set.
    """
    if plan.models.planner is None and plan.models.reviewer is None:
        reviewer = resolve_reviewer(plan.reviewer, plan.replace)
        yield resolve_planner(plan.planner, plan.program), _asked(plan, reviewer, log)
        return
    assert requests is not None, "only a panel has models"

    def retried(kind: str, status: int | None, wait: float) -> None:
        log.event("request_retried", error=kind, status=status)

    async with open_client() as client:
        with RequestCache(requests) as cache:

            def endpoint(settings: ModelSettings) -> Endpoint:
                return Endpoint(
                    settings=settings,
                    client=client,
                    cache=cache,
                    run=plan.id,
                    on_retry=retried,
                    purse=purse,
                )

            yield _planner(plan, tools, endpoint), _reviewer(plan, endpoint, log)


def _planner(plan: RunPlan, tools: Mapping[str, Tool], endpoint: _MakeEndpoint) -> Planner:
    if plan.models.planner is None:
        return resolve_planner(plan.planner, plan.program)
    return ModelPlanner(
        endpoint(plan.models.planner),
        tools,
        plan.suite.proxy,
        plan.program if plan.program.replies else None,
        draw_key=plan.models.planner_draw,
        show_decisions=plan.models.planner_sees_reviews,
    )


def _reviewer(plan: RunPlan, endpoint: _MakeEndpoint, log: EventLog) -> Reviewer:
    if plan.models.reviewer is None:
        return _asked(plan, resolve_reviewer(plan.reviewer, plan.replace), log)
    reviewer = ModelReviewer(
        endpoint(plan.models.reviewer),
        plan.replace,
        lambda boundary: _draw_key(plan, boundary),
        show_budget=plan.models.reviewer_sees_budget,
    )
    return _asked(plan, reviewer, log)


def _draw_key(plan: RunPlan, boundary: Boundary) -> str:
    """Name a decision's draw. Draws are sampled apart, and so are the boundaries of one.

    As far as a spec's `share_until`, conditions that offer the same operations share a decision.
    """
    offered = plan.offered or plan.scope
    match plan.models.share_until:
        case "first_review":
            shared = not boundary.decisions
        case "first_replacement":
            shared = all(known["realized"] != "replace" for known in boundary.decisions)
        case _:
            shared = False
    who = f"shared {offered}" if shared else plan.condition
    return f"{who}/{plan.draw}/{boundary.index}"


def _asked(plan: RunPlan, reviewer: Reviewer, log: EventLog) -> Reviewer:
    if plan.view is not None:
        reviewer = Viewed(reviewer, plan.view, log)
    return reviewer if plan.offered is None else Offered(reviewer, plan.offered)
