"""One opportunity for a review: whether it is offered, what was answered, and what is to follow."""

from controlscope.boundaries import Boundary
from controlscope.budgets import Usage, logged
from controlscope.canonical import problem_of
from controlscope.errors import InvalidReviewError, RejectedError, ReviewServiceError, failing_as
from controlscope.operations import (
    EFFECTIVE,
    Keep,
    Operation,
    ReplaceBoundary,
    as_json,
    realize,
)
from controlscope.roles import EventLog, Policy
from controlscope.trajectory import Trajectory

__all__ = ["review_at"]


async def review_at(
    boundary: Boundary,
    so_far: Trajectory,
    policy: Policy,
    replace: ReplaceBoundary,
    log: EventLog,
) -> Operation | None:
    """Offer a review where one is due; whatever does not hold continues as Keep.

    None where there was no operation and the policy takes that for an error of the plan. The
    decision is added to the trajectory and to the log.
    """
    if not (so_far.progress and policy.schedule.offers(so_far.moment(boundary))):
        return Keep()
    so_far.reviewed_at_call = so_far.ledgers.calls
    scope = policy.scope_at(boundary.index)
    log.event("review_requested", boundary=boundary.index, granted=scope)
    operation: Operation | None = None
    usage: Usage | None = None
    try:
        with failing_as("reviewer_failed"):
            reviewed = policy.reviewer.review(boundary, scope)
            review = await so_far.clocks.measure("reviewer", reviewed)
        usage, operation, reason = review.usage, review.operation, review.reason
        realized: str = realize(operation, boundary, scope, replace)
    except InvalidReviewError as error:
        realized, reason = "invalid", str(error)
        usage = usage or error.usage
    except ReviewServiceError as error:
        realized, reason = "service", str(error)
    except RejectedError as error:
        realized, reason = "rejected", str(error)
    proposed = None if operation is None else as_json(operation)
    decision = {
        "boundary": boundary.index,
        "granted": scope,
        "realized": realized,
        # A reviewer of the user's own may propose what has no JSON form: it was rejected.
        "operation": None if problem_of(proposed) else proposed,
    }
    so_far.decisions.append(decision)
    so_far.history = so_far.history.noted(decision)
    log.event("review_decided", reason=reason, **decision, **logged(usage))
    if realized in {"invalid", "service"} and policy.fallback == "plan_error":
        return None
    return operation if operation is not None and realized in EFFECTIVE else Keep()
