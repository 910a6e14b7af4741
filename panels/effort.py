"""What household tasks took: the paper's table 7, and the tasks done within so many actions."""

from collections.abc import Iterator, Mapping, Sequence

from controlscope.canonical import JsonObject
from panels.spending import LEDGERS, tokens_of

__all__ = ["THRESHOLDS", "completed_within", "effort_of", "effort_sheets"]

THRESHOLDS = (10, 20, 30, 40, 50, 75, 100)
"""Numbers of actions, of the 100 that a run has."""

_COLUMNS = {
    "initial_success": "initial success",
    "success": "terminal success",
    "actions": "actions",
    "repairs": "repairs",
    "reviews": "reviews",
    "patches": "patches",
    "replacements": "replacements",
    "invalid": "invalid",
    "service": "service",
    "input": "input",
    "output": "output",
}


def effort_of(assigned: Mapping[str, Sequence[JsonObject | None]]) -> JsonObject:
    """Return a row's table by condition, given the results of its runs (table 7 and figure 2).

    `completed_at` holds the number of actions of each successful run, in rising order: an episode
    is over with the action that meets its goal. `input` and `output` are all logged tokens of
    planner and reviewer, reused responses among them; None where no model answered, or where a
    provider did not tell.
    """
    found = {}
    for name, runs in assigned.items():
        rows = [row for row in runs if row]
        found[name] = {
            "assigned": len(runs),
            **{key: sum(row[key] for row in rows) for key in ("initial_success", "success")},
            "actions": sum(row["calls"] for row in rows),
            **{
                key: sum(row[key] for row in rows)
                for key in ("repairs", "reviews", "patches", "replacements")
            },
            **{key: sum(row["fallbacks"][key] for row in rows) for key in ("invalid", "service")},
            **_tokens(rows),
            "completed_at": sorted(row["calls"] for row in rows if row["success"]),
        }
    return found


def _tokens(rows: list[JsonObject]) -> JsonObject:
    ledgers = [tokens_of(rows, ledger) for ledger in LEDGERS if rows]
    told = not any(tokens["unreported"] for tokens in ledgers)
    totals = {part: sum(tokens[part] for tokens in ledgers) for part in ("input", "output")}
    return {part: (total or None) if told else None for part, total in totals.items()}


def completed_within(completed_at: list[int], actions: int) -> int:
    """Count the tasks that were done within so many actions."""
    return sum(count <= actions for count in completed_at)


def effort_sheets(
    report: JsonObject, group: JsonObject
) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield the title, columns and rows of a group's tables; none of other tasks than these."""
    effort = group["effort"]
    if effort is None:
        return
    label = f" ({report['label']})" if report["label"] else ""
    yield (
        f"Outcomes and work{label}",
        ["", *effort],
        [
            [title, *(_cell(cell[key]) for cell in effort.values())]
            for key, title in _COLUMNS.items()
        ],
    )
    rates = report["kind"] == "model panel"
    yield (
        f"Tasks done within so many actions{label}",
        ["", *effort],
        [
            [str(limit), *(_within(cell, limit, rates) for cell in effort.values())]
            for limit in THRESHOLDS
        ],
    )


def _cell(value: int | None) -> str:
    return "—" if value is None else f"{value:,}"


def _within(cell: JsonObject, actions: int, rates: bool) -> str:
    """Give a percentage of the assigned tasks in a model panel; no rate is told of a check."""
    count = completed_within(cell["completed_at"], actions)
    if not rates:
        return f"{count} of {cell['assigned']}"
    return f"{count} ({100 * count / cell['assigned']:.1f} %)"
