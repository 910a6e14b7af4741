"""Task and scenario goal completion by split: what the paper's table 2 shows of AppWorld."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from controlscope.canonical import JsonObject
from panels.inference import contrasts_of, inferred, outcomes_of
from panels.plans import RunPlan
from panels.spec import Group, Panel

__all__ = ["goals_of"]

_SHOWN = ("a", "b", "n", "difference", "wins", "losses", "ties", "ci95", "clusters", "bootstrap")


def goals_of(panel: Panel, group: Group, by_run: Mapping[str, JsonObject]) -> list[JsonObject]:
    """Count each split of a group's tasks by condition; nothing of others than AppWorld's.

    `tgc` counts tasks that are done, `sgc` the scenarios all of whose instances are; a scenario
    with an instance that the group leaves out counts in no denominator. A run without a score is
    not done. `protected_failed` counts failed criteria that an untouched world meets,
    `quota_rejections` calls over a block's allowance (paper, section 5.3 and appendix A.2). The
    contrasts are those of the panel, with scenarios as clusters.
    """
    splits: defaultdict[str, set[str]] = defaultdict(set)
    for plans in group.runs.values():
        for plan in plans:
            if plan.task.kind == "appworld" and plan.task.split:
                splits[plan.task.split].add(plan.task.id)
    return [_split(panel, group, by_run, split, tasks) for split, tasks in splits.items()]


def _split(
    panel: Panel, group: Group, by_run: Mapping[str, JsonObject], split: str, tasks: set[str]
) -> JsonObject:
    scenarios = _whole_scenarios(panel, tasks)
    runs = {
        name: [plan for plan in plans if plan.task.id in tasks]
        for name, plans in group.runs.items()
    }
    compared = inferred(
        contrasts_of(panel.spec),
        {name: outcomes_of(plans, by_run) for name, plans in runs.items()},
        {task.id: task.category for task in panel.tasks},
        seed=panel.spec.seed,
        floor=None,
        model_panel=panel.has_models,
    )
    return {
        "split": split,
        "tasks": len(tasks),
        "scenarios": len(scenarios),
        "conditions": {name: _counts(plans, by_run, scenarios) for name, plans in runs.items()},
        "paired": [{key: pair[key] for key in _SHOWN} for pair in compared],
    }


def _whole_scenarios(panel: Panel, tasks: set[str]) -> list[set[str]]:
    """Return the scenarios of which every instance of the suite is among the tasks."""
    instances: defaultdict[str, set[str]] = defaultdict(set)
    for task in panel.suite.tasks.values():
        instances[task.category].add(task.id)
    return [found for found in instances.values() if found <= tasks]


def _counts(
    plans: Sequence[RunPlan], by_run: Mapping[str, JsonObject], scenarios: Sequence[set[str]]
) -> JsonObject:
    rows = {plan.task.id: by_run[plan.id] for plan in plans if plan.id in by_run}
    done = {task for task, row in rows.items() if row["success"]}
    fallbacks = [count for row in rows.values() for count in row["fallbacks"].values()]
    return {
        "scored": len(rows),
        "tgc": len(done),
        "sgc": sum(scenario <= done for scenario in scenarios),
        "attempts": sum(row["calls"] for row in rows.values()),
        "protected_failed": sum(row["counts"]["protected_failed"] for row in rows.values()),
        "fallbacks": sum(fallbacks),
        "quota_rejections": sum(row["refused"]["quota"] for row in rows.values()),
    }
