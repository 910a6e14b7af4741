"""Whether a recorded run did what its reviews decided, and counted on from one budget."""

from collections.abc import Sequence

from controlscope.canonical import JsonObject, encode
from controlscope.continuations import CallSite
from controlscope.parameters import Overrides, merged, overrides_json, parse_overrides
from controlscope.run_log import Run

__all__ = ["budget_check", "operation_check"]


def operation_check(run: Run) -> JsonObject:
    """Count the reviews of a run, and those after which exactly what was decided came about.

    A patch: the pending tool is called with its arguments and the patched ones. An edit of
    parameters: the pending call has those of its site, and so has each later one of the same code,
    until an edit adds to them. A replacement: the decided code takes the place of the block, no
    call comes between, and at the replacement boundary `reply` every queued block is cancelled, at
    `block` none. No operation where that is an error of the plan: the block ends so. Anything else:
    the pending call is made as it stands (paper, section 5.4 and appendices A.1 and A.2).
    """
    ends = ("continuation_replaced", "block_ended", "worker_lost")
    events = list(run.of_kind("boundary", "review_decided", "call_started", *ends))
    found = [
        _came_about(event, events[at - 1], events[at + 1 :], run.header["policy"])
        for at, event in enumerate(events)
        if event["kind"] == "review_decided"
    ]
    return {"checked": len(found), "equal": sum(found)}


def _came_about(
    decision: JsonObject, boundary: JsonObject, later: Sequence[JsonObject], policy: JsonObject
) -> bool:
    if boundary["kind"] != "boundary" or boundary["index"] != decision["boundary"] or not later:
        return False
    after = later[0]
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
    held = True
    if decision["realized"] == "patch":
        arguments = {**arguments, **decision["operation"]["arguments"]}
    elif decision["realized"] == "parameters":
        edited = parse_overrides(decision["operation"]["overrides"])
        overrides = merged(parse_overrides(boundary["overrides"]), edited)
        arguments = {**arguments, **overrides.get(_site(pending), {})}
        held = _held(overrides, later)
    return (
        held
        and after["kind"] == "call_started"
        and after["tool"] == pending["tool"]
        and encode(after["arguments"]) == encode(arguments)
    )


def _held(overrides: Overrides, later: Sequence[JsonObject]) -> bool:
    """Tell whether each later pause of the same code has the overrides, until an edit adds some."""
    for event in later:
        edited = event["kind"] == "review_decided" and event["realized"] == "parameters"
        if edited or event["kind"] not in {"boundary", "review_decided", "call_started"}:
            return True
        if event["kind"] == "boundary":
            pending = event["pending"]
            shown = {**pending["arguments"], **overrides.get(_site(pending), {})}
            if encode(event["overrides"]) != encode(overrides_json(overrides)):
                return False
            if encode(shown) != encode(pending["arguments"]):
                return False
    return True


def _site(pending: JsonObject) -> CallSite:
    line, column, *_ = pending["position"]
    return CallSite(pending["tool"], line, column)


def budget_check(run: Run) -> JsonObject:
    """Count the boundaries of a run, and those where the budget is what the calls, the blocks and
    the planner's replies before them left of the task's. A review or a replacement adds nothing to
    it, but for the requests of a block, which a replacement renews under the contract V1.
    """
    budget = run.header["budgets"]
    limits = {name: budget[name] for name in ("calls", "planning_turns", "blocks")}
    limits["requests"] = budget["requests_per_block"]
    spent = dict.fromkeys(limits, 0)
    # The source's own reply is no planning turn.
    spent["planning_turns"] = -1
    checked, equal = 0, 0
    # The events as they are stored: whole, they would hold each state's variables.
    for event in run.events:
        match event["kind"]:
            case "reply_planned":
                spent["planning_turns"] += 1
            case "block_started":
                spent["blocks"] += 1
                spent["requests"] = 0
            case "continuation_replaced" if run.header["contract"] == "v1":
                spent["requests"] = 0
            case "call_started":
                spent["calls"] += 1
                spent["requests"] += 1
            case "boundary":
                left = {
                    name: limit - spent[name] for name, limit in limits.items() if limit is not None
                }
                checked += 1
                goes_on = all(left.get(name, 1) > 0 for name in ("calls", "requests"))
                equal += event["remaining"] == left and goes_on and min(left.values()) >= 0
    return {"checked": checked, "equal": equal}
