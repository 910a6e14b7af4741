"""The report's findings as lines: contrasts, the noise floor, what edits did, audits, losses."""

from controlscope.canonical import JsonObject

__all__ = ["audit_lines", "cost_cell", "heading_of", "paired_lines", "rate_cell"]

_AUDITS = {
    "state_keys": "states equal as recorded, replayed and forked",
    "first_inputs": "first public inputs equal to Keep's",
    "prefixes": "states equal to Keep's up to the first operation",
    "queues": "queues at the first boundary as long as Keep's",
    "operations": "reviews that came about as decided",
    "budgets": "boundaries that count on from their run's one budget",
    "view_masks": "views that hid all that they were to hide",
    "shared_reviews": "reviews equal to those of the conditions that share them",
    "first_requests": "first requests of a mode equal to fast mode's but for the mode",
}


def heading_of(report: JsonObject) -> str:
    """Say what kind of panel this is, before any number."""
    name = f"{report['panel']} ({report['label']})" if report["label"] else report["panel"]
    if report["kind"] == "model panel":
        shared = "shared where requests coincide" if report["share"] else "not shared"
        return f"{name}: model panel: planner responses {shared}"
    return (
        f"{name}: {report['kind']}: authored programs × scripted reviewer, no evidence about models"
    )


def paired_lines(report: JsonObject, group: JsonObject) -> list[str]:
    """Say each contrast of a row and, of a model panel, what may be inferred of it."""
    lines = []
    for pair in group["paired"]:
        status = f"{pair['status']}: " if "status" in pair else ""
        lines.append(
            f"{status}{pair['a']} against {pair['b']}: {pair['wins']} won, {pair['losses']} lost, "
            f"{pair['ties']} the same, of {pair['n']}"
        )
        if report["kind"] == "model panel":
            lines += [f"  {line}" for line in _inferred(pair)]
        if pair.get("deviations"):
            lines.append(f"  differs from the registration in {', '.join(pair['deviations'])}")
    lines += _eligible(group)
    if report["kind"] == "model panel":
        lines += [_floor(group["floor"]), *_operations(group["by_operation"])]
    return lines


def _eligible(group: JsonObject) -> list[str]:
    lines = []
    found = group["eligibility"]
    if found is not None:
        lines.append(f"eligible: {found['eligible']} of {found['candidates']} tasks")
        lines += [
            f"not eligible: {reason}: {', '.join(tasks)}"
            for reason, tasks in found["excluded"].items()
        ]
    limited = group["without_context_limited"]
    if limited is not None:
        counts = ", ".join(f"{name} {count}" for name, count in limited["success"].items())
        lines.append(f"without {', '.join(limited['left_out'])}, beyond a context: {counts}")
    return lines


def _inferred(pair: JsonObject) -> list[str]:
    interval = "—"
    if pair["ci95"] is not None:
        interval = " to ".join(f"{end:+.3f}" for end in pair["ci95"])
    bootstrap = pair["bootstrap"]
    against = {None: "—", True: "beyond", False: "within"}[pair["exceeds_floor"]]
    note = bootstrap["reason"] or bootstrap["warning"]
    tested = f"exact McNemar p {_p(pair['mcnemar_p'])}, Holm {_p(pair['holm_p'])}"
    drawn = f"({pair['clusters']} clusters, seed {bootstrap['seed']})"
    effect = f"difference {_signed(pair['difference'])}, noise floor: {against}"
    lines = [f"{effect}; {tested}; 95 % interval {interval} {drawn}"]
    if note:
        lines.append(f"interval: {note}")
    if pair["bounds"] is not None:
        found = pair["bounds"]
        lines.append(
            f"whatever the runs without a score had done: {found['low']:+.3f} to "
            f"{found['high']:+.3f} ({found['lost_a']} and {found['lost_b']} of them)"
        )
    return lines


def _floor(floor: JsonObject | None) -> str:
    if floor is None:
        return "noise floor: — (no fresh draw of Keep)"
    return (
        f"noise floor of {floor['draws']} draws of Keep: differences of {floor['spread']:.3f} "
        f"(root mean square), at most {floor['largest']:.3f}; {floor['unstable']} of "
        f"{floor['n']} tasks unstable"
    )


def _operations(found: JsonObject) -> list[str]:
    return [
        f"descriptive, {condition} by what its reviews did: {name}: {part['wins']} won, "
        f"{part['losses']} lost against Keep, of {part['n']}"
        for condition, parts in found.items()
        for name, part in parts.items()
    ]


def rate_cell(rate: JsonObject) -> str:
    """Return a proportion with its interval, for a table."""
    if rate["ci95"] is None:
        return "—"
    low, high = rate["ci95"]
    return f"{rate['valid']} of {rate['of']} ({low:.2f} to {high:.2f})"


def cost_cell(cost: JsonObject | None) -> str:
    """Return a logical and a fresh cost, for a table."""
    if cost is None:
        return "—"
    logical, fresh = cost["logical"], cost["fresh"]
    return "unpriced" if isinstance(logical, str) else f"{logical:.4f} ({fresh:.4f})"


def audit_lines(report: JsonObject) -> list[str]:
    """Say what was checked, and which runs infrastructure cut off."""
    lines = [
        f"audit: {_AUDITS[name]}: {audit['equal']} of {audit['checked']}"
        for name, audit in report["audits"].items()
        # Without a model there is no request to compare.
        if audit["checked"] or report["kind"] == "model panel"
    ]
    states = report["audits"]["state_keys"]
    if states["unexposed"]:
        lines.append(f"variables there that no key speaks of: {states['unexposed']}")
    lines += [f"audit of {run}: {note}" for run, note in states["notes"].items()]
    return lines + [
        f"infrastructure: {item['condition']} {item['run']}: {item['reason']}"
        for item in report["infrastructure"]
    ]


def _signed(value: float | None) -> str:
    return "—" if value is None else f"{value:+.3f}"


def _p(value: float | None) -> str:
    return "—" if value is None else f"{value:.4g}"
