"""What the single reviews of a panel came to, in the form of the paper's table 6."""

from collections import Counter
from collections.abc import Mapping

from controlscope.canonical import JsonObject
from controlscope.operations import EFFECTIVE
from panels.plans import RunPlan
from panels.spec import Panel

__all__ = ["decisions_of"]

_FALLBACKS = ("invalid", "service", "no_op", "rejected")


def decisions_of(panel: Panel, by_run: Mapping[str, JsonObject]) -> list[JsonObject]:
    """Count the decisions at the boundaries that rules found, by who reviewed and the condition.

    Every program and draw is in them: counts of decisions, and no sample for a test. `keep` holds
    all that went on unchanged, with the fallbacks that stand beside it (paper, table 6).
    """
    found: dict[tuple[str, str], Counter[str]] = {}
    for plan in panel.runs:
        row = by_run.get(plan.id)
        if not plan.source or row is None:
            continue
        counts = found.setdefault((_who(plan), plan.condition), Counter())
        counts["reviews"] += row["reviews"]
        counts["patch"] += row["patches"]
        counts["parameters"] += row["parameters"]
        counts["replace"] += row["replacements"]
        for kind in _FALLBACKS:
            counts[kind] += row["fallbacks"][kind] if kind in row["fallbacks"] else row[kind]
    return [
        {
            "reviewer": who,
            "condition": condition,
            "reviews": counts["reviews"],
            "keep": counts["reviews"] - sum(counts[kind] for kind in EFFECTIVE),
            **{kind: counts[kind] for kind in (*_FALLBACKS, "patch", "parameters", "replace")},
        }
        for (who, condition), counts in found.items()
    ]


def _who(plan: RunPlan) -> str:
    return plan.reviewer if plan.models.reviewer is None else plan.mode
