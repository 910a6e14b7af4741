"""A run's pauses, gathered from its log in one pass."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from controlscope.canonical import JsonObject
from controlscope.errors import InputError
from controlscope.run_log import Run

__all__ = ["Pause", "pause_at", "pauses"]


@dataclass
class Pause:
    """One boundary of a log: the code there, what was decided, the call made, what came after.

    Events are as stored, with their large values as references (`Run.whole`); `code` too.
    `followed` are the events after the pause, to the run's end.
    """

    event: JsonObject
    code: Any
    decision: JsonObject | None = None
    call: JsonObject | None = None
    replaced: bool = False
    followed: list[JsonObject] = field(default_factory=list)


def pauses(run: Run) -> Iterator[Pause]:
    """Yield every pause in order, without what followed; InputError where the log is altered."""
    code: Any = ""
    pause: Pause | None = None
    for event in run.events:
        try:
            kind = event["kind"]
            if kind == "boundary":
                if pause is not None:
                    yield pause
                pause = Pause(event, code)
            elif kind == "block_started":
                code = event["code"]
            elif pause is not None and kind == "review_decided":
                pause.decision = event
            elif pause is not None and kind == "continuation_replaced":
                pause.replaced, code = True, event["code"]
            elif pause is not None and kind == "call_completed" and not pause.replaced:
                pause.call = event
        except KeyError as missing:
            raise InputError(f"{run.folder}: event {event['seq']} has no {missing}") from None
    if pause is not None:
        yield pause


def pause_at(run: Run, index: int) -> Pause:
    """Find one pause, with what followed it; InputError where there is none."""
    count = 0
    for pause in pauses(run):
        count += 1
        if pause.event.get("index") == index:
            pause.followed = [event for event in run.events if event["seq"] > pause.event["seq"]]
            return pause
    raise InputError(f"{run.folder} has no boundary {index}: it has {count}, from 0")
