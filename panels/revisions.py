"""Whether a recorded run did what its reviews decided, and counted on from one budget."""

from controlscope.canonical import JsonObject, encode
from controlscope.run_log import Run

__all__ = ["budget_check", "operation_check"]


def operation_check(run: Run) -> JsonObject:
    """Count the reviews of a run, and those after which exactly what was decided came about.

    A patch: the pending tool is called with its arguments and the patched ones. A replacement: the
    decided code takes the place of the block, no call comes between, and at the replacement
    boundary `reply` every queued block is cancelled, at `block` none. No operation where that is an
    error of the plan: the block ends so. Anything else: the pending call is made as it stands
    (paper, section 5.4 and appendix A.1).
    """
    events = list(
        run.of_kind(
            "boundary", "review_decided", "call_started", "continuation_replaced", "block_ended"
        )
    )
    found = [
        _came_about(event, boundary, after, run.header["policy"])
        for boundary, event, after in zip(events, events[1:], events[2:], strict=False)
        if event["kind"] == "review_decided"
    ]
    reviews = sum(event["kind"] == "review_decided" for event in events)
    return {"checked": reviews, "equal": sum(found)}


def _came_about(
    decision: JsonObject, boundary: JsonObject, after: JsonObject, policy: JsonObject
) -> bool:
    if boundary["kind"] != "boundary" or boundary["index"] != decision["boundary"]:
        return False
    if decision["realized"] == "replace":
        return bool(
            after["kind"] == "continuation_replaced"
            and after["code"] == decision["operation"]["code"]
            and after["cancelled"] == (boundary["queued"] if policy["replace"] == "reply" else [])
        )
    if decision["realized"] in {"invalid", "service"} and policy["fallback"] == "plan_error":
        return bool(after["kind"] == "block_ended" and after["error"] == "plan_error")
    pending = boundary["pending"]
    arguments = pending["arguments"]
    if decision["realized"] == "patch":
        arguments = {**arguments, **decision["operation"]["arguments"]}
    return (
        after["kind"] == "call_started"
        and after["tool"] == pending["tool"]
        and encode(after["arguments"]) == encode(arguments)
    )


def budget_check(run: Run) -> JsonObject:
    """Count the boundaries of a run, and those where the budget is what the calls and the planner's
    replies before them left of the task's; a review or a replacement adds nothing to it.
    """
    budget = run.header["budgets"]
    calls, replies, checked, equal = 0, 0, 0, 0
    # The events as they are stored: whole, they would hold each state's variables.
    for event in run.events:
        match event["kind"]:
            case "reply_planned":
                replies += 1
            case "call_started":
                calls += 1
            case "boundary":
                left = event["remaining"]
                checked += 1
                equal += (
                    left["calls"] == budget["calls"] - calls > 0
                    and left["planning_turns"]
                    == budget["planning_turns"] - max(replies - 1, 0)
                    >= 0
                )
    return {"checked": checked, "equal": equal}
