"""The audit of a panel's states: a sample of its runs, replayed and forked at one boundary each."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from controlscope.canonical import JsonObject, encode
from controlscope.errors import CopyRefusedError, InfrastructureError
from panels.folder import PanelFolder
from panels.plans import RunPlan
from panels.recorded import find_recorded
from panels.spec import Panel
from replay.grow import audit_keys

__all__ = ["audit", "counted", "due"]

_EVERY = 10


def due(panel: Panel, folder: PanelFolder) -> Iterator[RunPlan]:
    """Yield every tenth reviewed run that is finished and has not been audited."""
    for plan in _sample(panel):
        if folder.run(plan).exists() and not folder.audit(plan).exists():
            yield plan


def _sample(panel: Panel) -> list[RunPlan]:
    return [plan for plan in panel.runs if plan.reviewed][::_EVERY]


async def audit(plan: RunPlan, folder: PanelFolder) -> None:
    """Fork a finished run at one boundary of its own, and write down whether all keys are equal.

    A run without a boundary has nothing to check.
    """
    file = folder.audit(plan)
    scratch = file.with_suffix(".scratch")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    try:
        found = await _examined(plan, folder, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    partial = file.with_suffix(".partial")
    partial.write_text(encode(found) + "\n")
    partial.rename(file)


async def _examined(plan: RunPlan, folder: PanelFolder, scratch: Path) -> JsonObject:
    recorded = await find_recorded(folder.run(plan), scratch / "built")
    count = sum(event["kind"] == "boundary" for event in recorded.run.events)
    if count == 0:
        return {"checked": 0, "equal": 0, "unexposed": 0, "note": "no boundary"}
    boundary = int(plan.id, 16) % count
    try:
        (keys,) = await audit_keys(recorded, [boundary], scratch / "grown")
    except CopyRefusedError as refused:
        return {"checked": 0, "equal": 0, "unexposed": 0, "note": str(refused)}
    except InfrastructureError as error:
        if error.kind != "replay_divergence":
            raise
        return {"checked": 1, "equal": 0, "unexposed": 0, "note": error.detail}
    note = "" if keys.equal else f"boundary {boundary}: the fork has another key"
    return {"checked": 1, "equal": int(keys.equal), "unexposed": keys.unexposed, "note": note}


def counted(panel: Panel, folder: PanelFolder) -> JsonObject:
    """Add the audits up. `notes` say why a run could not be forked, or where it differed."""
    plans = [plan for plan in _sample(panel) if folder.audit(plan).exists()]
    found = [json.loads(folder.audit(plan).read_bytes()) for plan in plans]
    totals = {part: sum(one[part] for one in found) for part in ("checked", "equal", "unexposed")}
    notes = {plan.id: one["note"] for plan, one in zip(plans, found, strict=True) if one["note"]}
    return {**totals, "notes": notes}
