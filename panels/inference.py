"""What may be inferred of one row of a model panel, and what is only described."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from controlscope.canonical import JsonObject
from panels.plans import RunPlan
from panels.register import Contrast
from panels.spec_file import PanelSpec
from panels.statistics import (
    Floor,
    Outcomes,
    bounds,
    cluster_bootstrap,
    holm,
    mcnemar,
    paired,
    wilson,
)

__all__ = ["by_operation", "contrasts_of", "inferred", "outcomes_of", "valid_replies"]

_SCOPES: tuple[Contrast, ...] = (("full", "keep"), ("arg", "keep"), ("full", "arg"))


def contrasts_of(spec: PanelSpec) -> list[Contrast]:
    """Return the contrasts of a spec: those that it names, or between the scopes and of controls.

    A control is held against Keep, and against the condition `arg` where it has its permission.
    """
    conditions = spec.conditions
    if spec.contrasts:
        return [(a, b) for a, _, b in (name.partition(":") for name in spec.contrasts)]
    controls = [
        (name, other)
        for name, condition in conditions.items()
        if condition.offered is not None
        for other in ("keep", *(["arg"] if condition.scope == "arg" else []))
    ]
    return [(a, b) for a, b in (*_SCOPES, *controls) if {a, b} <= conditions.keys()]


def outcomes_of(plans: Sequence[RunPlan], by_run: Mapping[str, JsonObject]) -> Outcomes:
    """Return success by task, None where a run has no score."""
    rows = {plan.task.id: by_run.get(plan.id) for plan in plans}
    return {task: None if row is None else bool(row["success"]) for task, row in rows.items()}


def inferred(
    contrasts: Sequence[Contrast],
    outcomes: Mapping[str, Outcomes],
    cluster_of: Mapping[str, str],
    *,
    seed: int,
    floor: Floor | None,
    model_panel: bool,
) -> list[JsonObject]:
    """Compare the conditions of one row, each contrast over the tasks that both have scored.

    Of an instrument check nothing is inferred: p, interval, bounds and floor are null. Holm's
    family are all contrasts of the row.
    """
    found = [(a, b, paired(outcomes[a], outcomes[b])) for a, b in contrasts]
    p_values = [mcnemar(pair.wins, pair.losses) if model_panel else None for _, _, pair in found]
    compared = []
    for (a, b, pair), p, adjusted in zip(found, p_values, holm(p_values), strict=True):
        of_a, of_b = outcomes[a], outcomes[b]
        scored = [task for task in of_a if of_a[task] is not None and of_b[task] is not None]
        interval = cluster_bootstrap(of_a, of_b, cluster_of, seed) if model_panel else None
        extremes = bounds(of_a, of_b) if model_panel else None
        lost = extremes is not None and extremes.lost_a + extremes.lost_b > 0
        compared.append(
            {
                "a": a,
                "b": b,
                "n": pair.n,
                "difference": pair.difference,
                "wins": pair.wins,
                "losses": pair.losses,
                "ties": pair.ties,
                "mcnemar_p": p,
                "holm_p": adjusted,
                "ci95": None if interval is None or interval.ci95 is None else [*interval.ci95],
                "clusters": len({cluster_of[task] for task in scored}),
                "bootstrap": None if interval is None else _bootstrap(asdict(interval)),
                "bounds": asdict(extremes) if extremes is not None and lost else None,
                "exceeds_floor": None
                if floor is None or pair.difference is None
                else floor.exceeded_by(pair.difference),
            }
        )
    return compared


def _bootstrap(interval: JsonObject) -> JsonObject:
    return {name: interval[name] for name in ("seed", "resamples", "reason", "warning")}


def valid_replies(rows: Sequence[JsonObject]) -> JsonObject:
    """Return how many reviews brought one parseable operation, with Wilson's interval.

    Reviews of one run resemble each other, which the interval does not know.
    """
    reviews = sum(row["reviews"] for row in rows)
    failed = sum(row["fallbacks"]["invalid"] + row["fallbacks"]["service"] for row in rows)
    interval = wilson(reviews - failed, reviews)
    return {
        "valid": reviews - failed,
        "of": reviews,
        "ci95": None if interval is None else [*interval],
    }


def by_operation(
    rows: Mapping[str, JsonObject | None], keep: Mapping[str, JsonObject | None]
) -> JsonObject:
    """Split a condition's tasks by what its reviews really did, and compare each part with Keep.

    What a run's reviews did depends on the run, so that these differences describe and nothing is
    inferred from them.
    """
    parts: JsonObject = {}
    for task, row in rows.items():
        base = keep.get(task)
        if row is None or base is None:
            continue
        patched, replaced = row["patches"] + row["parameters"] > 0, row["replacements"] > 0
        name = {
            (False, False): "no edit",
            (True, False): "patches alone",
            (False, True): "replacements alone",
            (True, True): "both",
        }[patched, replaced]
        part = parts.setdefault(name, {"n": 0, "wins": 0, "losses": 0})
        part["n"] += 1
        part["wins"] += row["success"] > base["success"]
        part["losses"] += row["success"] < base["success"]
    return dict(sorted(parts.items()))
