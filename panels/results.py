"""What a panel's results file says of one run: derived from its log alone, with no clock in it."""

from collections import Counter
from dataclasses import asdict
from typing import Any

from controlscope.budgets import Tokens
from controlscope.canonical import JsonObject, digest
from controlscope.errors import InputError
from controlscope.operations import EFFECTIVE
from controlscope.run_log import Run
from panels.revisions import budget_check, operation_check

__all__ = ["row_of"]

_LEDGERS = {"agent": "reply_planned", "reviewer": "review_decided"}
_TIME_LIMITS = {"timeout_soft", "wall_timeout", "cpu_limit"}


def row_of(run: Run, paid: set[tuple[str, str]] | None = None) -> JsonObject:
    """Return the row of a finished run.

    `state_keys` holds the key of each boundary up to the first effective operation, or of all;
    `unexposed` counts variables, over all boundaries, that no state key speaks of; `time_limited`
    flags a run that a time limit decided; `first_request` is the digest of what its first review
    asked a model, null where none answered. `suppressed` counts the reviews that protection held
    back. `context_limited`: a model was asked for more than it takes. `decided` holds digests of
    the decisions through the first one and through the first accepted replacement; `view_mask` how
    many views hid something, and how many of them hid all of it. `refused` counts the calls that
    were refused before they were made, which are no calls. `paid` holds the requests that earlier
    rows of the panel paid for, and takes those of this one. `repairs` counts the replies after the
    source's first that ran code; `initial_success` is success without one, and without a plan that
    was given up. `counts` is what the verifier counted beside its verdict, `label` what stands
    beside each figure of the suite.
    """
    header = run.header
    paid = set() if paid is None else paid
    protected = header["policy"]["schedule"].startswith("protected")
    decisions = list(run.of_kind("review_decided"))
    realized = Counter(event["realized"] for event in decisions)
    masked = [event for event in run.of_kind("view_shown") if event["hidden"]]
    calls = list(run.of_kind("call_completed"))
    boundaries = list(run.of_kind("boundary"))
    ended = _last(run, "episode_ended")
    scored = _last(run, "scored")
    errors = {event["error"] for event in run.of_kind("block_ended", "worker_lost")}
    replies = list(run.of_kind("reply_planned"))
    repairs = sum(bool(reply["blocks"]) for reply in replies[1:])
    return {
        "run": header["run"],
        "label": header["label"],
        "task": header["task"],
        "program": header["program"],
        "condition": header["condition"],
        "mode": header["policy"]["mode"],
        "draw": header["seeds"]["draw"],
        "seed": header["seeds"]["environment"],
        "replace": header["policy"]["replace"],
        "schedule": header["policy"]["schedule"],
        "success": scored["success"],
        "initial_success": scored["success"] and not repairs and "plan_error" not in errors,
        "message": scored["message"],
        "counts": scored.get("counts", {}),
        "ending": ended["ending"],
        "digest": ended["digest"],
        "calls": len(calls),
        "tool_errors": sum(call["is_error"] for call in calls),
        "refused": ended["refused"],
        "output_bytes": sum(
            len(
                (call["shown"] if "shown" in call else call["observation"]).encode(
                    errors="surrogatepass"
                )
            )
            for call in calls
        ),
        "planner_turns": max(len(replies) - 1, 0),
        "repairs": repairs,
        "reviews": realized.total(),
        "keeps": realized["keep"],
        "patches": realized["patch"],
        "parameters": realized["parameters"],
        "replacements": realized["replace"],
        "no_op": realized["no_op"],
        "rejected": realized["rejected"],
        "fallbacks": {"invalid": realized["invalid"], "service": realized["service"]},
        "tokens": {ledger: _tokens(run, kind, paid) for ledger, kind in _LEDGERS.items()},
        "worker_losses": sum(1 for _ in run.of_kind("worker_lost")),
        "time_limited": bool(errors & _TIME_LIMITS) or ended["ending"] == "execution_seconds",
        "unexposed": sum(len(event["variables"]["unexposed"]) for event in boundaries),
        "queue_at_first_boundary": len(boundaries[0]["queued"]) if boundaries else None,
        "first_request": _first_request(run),
        "suppressed": _suppressed(run) if protected else 0,
        "context_limited": ended["ending"] == "context_limit"
        or any(event["reason"].startswith("context_limit") for event in decisions),
        "decided": _decided(decisions),
        "view_mask": {
            "checked": len(masked),
            "equal": sum(not event["leaked"] for event in masked),
        },
        "operation_check": operation_check(run),
        "budget_check": budget_check(run),
        "state_keys": _shared_keys(run, boundaries),
    }


def _first_request(run: Run) -> str | None:
    first = next(iter(run.of_kind("review_decided")), {})
    request: str | None = first.get("usage", {}).get("served", {}).get("request")
    return request


def _suppressed(run: Run) -> int:
    """Count the boundaries with progress, after the first replacement, that got no review."""
    replaced, progress, open_since, found = False, False, None, 0
    for event in run.events:
        match event["kind"]:
            case "boundary":
                open_since = event["index"] if replaced and progress else None
            case "review_requested":
                progress, open_since = False, None
            case "call_started" if open_since is not None:
                found += 1
            case "call_completed":
                progress = True
            case "continuation_replaced":
                replaced = True
    return found


def _decided(decisions: list[JsonObject]) -> JsonObject:
    """Return digests of what conditions that share decisions must have decided alike."""
    said = [[known["boundary"], known["realized"], known["operation"]] for known in decisions]
    first = next((n for n, known in enumerate(said) if known[1] == "replace"), None)
    return {
        "first_review": digest(said[0]) if said else None,
        "first_replacement": None if first is None else digest(said[: first + 1]),
    }


def _shared_keys(run: Run, boundaries: list[JsonObject]) -> list[str]:
    """Return the keys of the boundaries that every condition of the same program must share."""
    effective = [
        event["boundary"]
        for event in run.of_kind("review_decided")
        if event["realized"] in EFFECTIVE
    ]
    last: int = effective[0] if effective else len(boundaries)
    return [event["state_key"] for event in boundaries[: last + 1]]


def _last(run: Run, kind: str) -> Any:
    found = list(run.of_kind(kind))
    if not found:
        raise InputError(f"{run.folder}: a finished run has the event {kind}, and this has none")
    return found[-1]


def _tokens(run: Run, kind: str, paid: set[tuple[str, str]]) -> JsonObject:
    """Add up the logical tokens of the model responses of one ledger, and the fresh ones.

    Which of two runs really sent a shared request is a race: the first one in the panel's order
    that holds it counts as the one that paid, so that the same panel has the same rows.
    `unreported` counts the responses whose tokens the provider did not tell.
    """
    total, fresh, unreported = Tokens(), Tokens(), 0
    for event in run.of_kind(kind):
        if "usage" in event:
            spent = Tokens(**event["usage"]["tokens"])
            total += spent
            served = event["usage"]["served"]
            request = served["request"], served["draw"]
            fresh += Tokens() if request in paid else spent
            paid.add(request)
            unreported += served.get("tokens") == "not reported"
    fresh_parts = {f"fresh_{part}": count for part, count in asdict(fresh).items()}
    return {**asdict(total), **fresh_parts, "unreported": unreported}
