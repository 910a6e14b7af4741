"""A report of tasks of which only totals may be shown."""

from controlscope.canonical import JsonObject

__all__ = ["totals_of"]


def totals_of(report: JsonObject) -> JsonObject:
    """Return the report without all that speaks of a single task: runs, cells, names, reasons.

    A benchmark's test tasks stay unseen (paper, appendix A.2); what counts them by split stays.
    """
    return {
        **report,
        "groups": [_group(group) for group in report["groups"]],
        "audits": {
            **report["audits"],
            "state_keys": {**report["audits"]["state_keys"], "notes": {}},
        },
        "infrastructure": [
            {**lost, "run": "", "reason": lost["reason"].split(":")[0]}
            for lost in report["infrastructure"]
        ],
        "runs": [],
    }


def _group(group: JsonObject) -> JsonObject:
    eligibility, limited = group["eligibility"], group["without_context_limited"]
    if eligibility is not None:
        excluded = {reason: _number(tasks) for reason, tasks in eligibility["excluded"].items()}
        eligibility = {**eligibility, "excluded": excluded}
    if limited is not None:
        limited = {**limited, "left_out": _number(limited["left_out"])}
    return {
        **group,
        "tasks": {},
        "eligibility": eligibility,
        "without_context_limited": limited,
    }


def _number(tasks: list[str]) -> list[str]:
    return [f"{len(tasks)} tasks"]
