"""Which of a group's tasks its rules find a boundary for, and why not of the others."""

from collections import defaultdict
from dataclasses import replace

from controlscope.canonical import JsonObject
from panels.folder import PanelFolder
from panels.siting import Ineligible, Sited
from panels.spec import Group

__all__ = ["eligible"]


def eligible(group: Group, folder: PanelFolder) -> tuple[Group, JsonObject | None]:
    """Return a group with its eligible tasks alone, and what was left out by reason.

    A task is left out of every condition, Keep too. None where the group has no schedule by a rule.
    A task whose Keep run is not there yet counts as eligible, and its runs as outstanding.
    """
    by_rule = [
        plan for plans in group.runs.values() for plan in plans if isinstance(plan.schedule, Sited)
    ]
    if not by_rule:
        return group, None
    reasons = {}
    for plan in by_rule:
        found = folder.located(plan)
        if isinstance(found, Ineligible):
            reasons[plan.task.id] = found.reason
    excluded = defaultdict(list)
    for task, reason in reasons.items():
        excluded[reason].append(task)
    runs = {
        name: tuple(plan for plan in plans if plan.task.id not in reasons)
        for name, plans in group.runs.items()
    }
    candidates = len({plan.task.id for plan in by_rule})
    return replace(group, runs=runs), {
        "candidates": candidates,
        "eligible": candidates - len(reasons),
        "excluded": {reason: sorted(tasks) for reason, tasks in sorted(excluded.items())},
    }
