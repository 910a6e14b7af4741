"""Goal completion by split as tables, in the form of the paper's table 2."""

from collections.abc import Iterator

from controlscope.canonical import JsonObject

__all__ = ["ONLY_TOTALS", "goal_sheets"]

ONLY_TOTALS = "The tasks of this benchmark are shown in totals by split, none by itself."

_COUNTS = {
    "scored": "runs scored",
    "attempts": "API attempts",
    "protected_failed": "protected criteria failed",
    "fallbacks": "review fallbacks",
    "quota_rejections": "quota rejections",
}
_FULL = ("full", "keep")


def goal_sheets(
    report: JsonObject, group: JsonObject
) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield the title, columns and rows of a group's tables; none where its suite has no splits.

    Task goal completion is a count; scenario goal completion a percentage of a model panel, and a
    count of an instrument check, of which no rate is told.
    """
    if not group["splits"]:
        return
    label = f" ({report['label']})" if report["label"] else ""
    names = ", ".join(group["conditions"])
    yield (
        f"Goal completion{label}: TGC and SGC of {names}",
        ["split", "tasks", "TGC", "scenarios", "SGC", "full − keep", "won/lost"],
        [_goals(report["kind"] == "model panel", split) for split in group["splits"]],
    )
    rows = [
        [f"{split['split']}: {text}", *(str(cell[key]) for cell in split["conditions"].values())]
        for split in group["splits"]
        for key, text in _COUNTS.items()
    ]
    yield f"Counts by split{label}", ["", *group["conditions"]], rows


def _goals(rates: bool, split: JsonObject) -> list[str]:
    cells = split["conditions"].values()
    scenarios = split["scenarios"]
    found = next((pair for pair in split["paired"] if (pair["a"], pair["b"]) == _FULL), None)
    return [
        split["split"],
        str(split["tasks"]),
        "/".join(str(cell["tgc"]) for cell in cells),
        str(scenarios),
        "/".join(_sgc(cell["sgc"], scenarios, rates) for cell in cells),
        "—" if found is None or not rates else _difference(found),
        "—" if found is None else f"{found['wins']}/{found['losses']}",
    ]


def _sgc(count: int, of: int, rates: bool) -> str:
    if not rates:
        return str(count)
    return f"{100 * count / of:.1f} %" if of else "—"


def _difference(pair: JsonObject) -> str:
    """Write a difference in percentage points, with its interval."""
    if pair["difference"] is None:
        return "—"
    interval = "—"
    if pair["ci95"] is not None:
        interval = ", ".join(f"{100 * end:+.2f}" for end in pair["ci95"])
    return f"{100 * pair['difference']:+.2f} [{interval}]"
