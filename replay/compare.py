"""Compare a replay with its record, event by event; the first difference ends it.

What a program was shown is compared; raw texts may differ in their clock fields, which are counted
apart (paper, appendix A.4).
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeAlias

from controlscope.canonical import JsonObject, encode
from controlscope.errors import InfrastructureError
from controlscope.roles import EventLog
from controlscope.run_log import Run
from controlscope.tasks import INSTANT

__all__ = ["Comparison", "Counts", "first_difference"]

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "episode_started": ("goal", "digest"),
    "reply_planned": ("text", "blocks"),
    "planner_failed": ("error", "detail"),
    "block_started": ("block", "code"),
    "boundary": (
        *("index", "block", "pending", "variables", "printed", "queued", "remaining"),
        *("environment", "overrides", "site", "state_key"),
    ),
    "review_requested": ("boundary", "granted"),
    "review_decided": ("boundary", "granted", "operation", "realized", "reason"),
    "continuation_replaced": ("boundary", "block", "code", "cancelled"),
    "call_started": ("index", "tool", "arguments", "overridden"),
    "call_completed": ("index", "tool", "arguments", "is_error", "observation", "digest"),
    "block_ended": ("block", "error", "printed", "traceback", "output_truncated", "refused"),
    "worker_lost": ("block", "error", "detail", "refused"),
    "budget_exhausted": ("budget",),
    "episode_ended": ("ending", "files", "digest", "refused"),
    "scored": ("success", "message"),
}
"""What the loop itself writes, in the order of what is named first; other events are no part of a
trajectory. What a model response cost is not compared: the record served it."""

Show: TypeAlias = Callable[[str, str, bool], str]

_AT_A_CALL = {"boundary", "review_requested", "review_decided", "continuation_replaced"}
_AT_THE_END = {"episode_ended", "scored"}
_WIDTH = 80


@dataclass(frozen=True)
class Counts:
    """What was compared and found equal.

    `clocked` observations hold times that the frozen clock hides, `same_raw` of them are equal in
    these too. `written` counts the terminal entries whose time is the run's own, here as there.
    """

    boundaries: int = 0
    calls: int = 0
    clocked: int = 0
    same_raw: int = 0
    written: int = 0

    def __str__(self) -> str:
        return (
            f"{self.boundaries} boundaries and {self.calls} calls as recorded; {self.clocked}"
            f" observations with clock fields, {self.same_raw} of them equal in these too;"
            f" {self.written} written entries"
        )


class Comparison:
    """An event log that holds each event against the record's next one, and passes it on.

    It compares as far as boundary `last`, that included (None: all that is recorded); what comes
    after is only passed on. `show` shows a raw text (tool, text, is_error) under the frozen clock:
    what the record says was shown must follow from its raw texts. InfrastructureError
    (replay_divergence) names the call of the first difference.
    """

    def __init__(
        self, run: Run, show: Show, last: int | None, into: EventLog | None = None
    ) -> None:
        self._run = run
        self._show = show
        self._last = last
        self._into = into
        self._expected = [event for event in run.events if event["kind"] in _FIELDS]
        self._next = 0
        self._comparing = True
        self.counts = Counts()

    def event(self, kind: str, **values: Any) -> None:
        """Compare one event and pass it on."""
        if self._comparing and kind in _FIELDS:
            self.check(kind, values)
            self._count(kind, self._run.whole(self._expected[self._next]), values)
            self._next += 1
            self._comparing = not (kind == "boundary" and values["index"] == self._last)
        if self._into is not None:
            self._into.event(kind, **values)

    def timing(self, clocks: JsonObject) -> None:
        """Pass the clocks on."""
        if self._into is not None:
            self._into.timing(clocks)

    def check(self, kind: str, got: JsonObject) -> None:
        """Hold what comes next against the record, and wait for it still."""
        if self._next >= len(self._expected):
            self._diverge(kind, f"the end of the record, got {kind}")
        event = self._expected[self._next]
        if event["kind"] != kind:
            self._diverge(kind, f"{event['kind']}, got {kind}")
        expected = self._run.whole(event)
        for field in _FIELDS[kind]:
            difference = first_difference(expected.get(field), got.get(field), field)
            if field == "observation" and difference is not None:
                difference = self._observed(expected, got)
            if difference is not None:
                self._diverge(kind, difference)

    def _observed(self, expected: JsonObject, got: JsonObject) -> str | None:
        """Compare two observations as they were shown, where their raw texts differ."""
        raw = expected["observation"]
        shown = self._show(expected["tool"], raw, expected["is_error"])
        seen = got.get("shown", got["observation"])
        return first_difference(expected.get("shown", raw), seen, "observation") or (
            first_difference(shown, seen, "observation")
        )

    def _count(self, kind: str, expected: JsonObject, got: JsonObject) -> None:
        counts = self.counts
        if kind == "boundary":
            self.counts = replace(counts, boundaries=counts.boundaries + 1)
        elif kind == "call_completed":
            clocked = "shown" in expected or "shown" in got
            same = clocked and expected["observation"] == got["observation"]
            self.counts = replace(
                counts,
                calls=counts.calls + 1,
                clocked=counts.clocked + clocked,
                same_raw=counts.same_raw + same,
            )
        elif kind == "episode_ended":
            times = [entry.get("modified") for entry in expected["files"].values()]
            self.counts = replace(counts, written=times.count(INSTANT.isoformat()))

    def _diverge(self, kind: str, difference: str) -> NoReturn:
        calls = self.counts.calls
        if kind in _AT_THE_END:
            where = "at the end"
        elif kind in _AT_A_CALL or kind.startswith("call_"):
            where = f"at call {calls}"
        else:
            where = f"after call {calls - 1}" if calls else "before call 0"
        raise InfrastructureError("replay_divergence", f"{where}: expected {difference}")


def first_difference(expected: Any, got: Any, name: str) -> str | None:
    """Say where two JSON values first differ, as `name.key value, got value`; None if nowhere."""
    if encode(expected) == encode(got):
        return None
    # Tuples become lists, as they are in what was read back.
    expected, got = json.loads(encode(expected)), json.loads(encode(got))
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in sorted(expected | got):
            if key not in expected or key not in got:
                known, missing = ("", "no ") if key in expected else ("no ", "")
                return f"{known}{name}.{key}, got {missing}{name}.{key}"
            difference = first_difference(expected[key], got[key], f"{name}.{key}")
            if difference is not None:
                return difference
    if isinstance(expected, list) and isinstance(got, list):
        for index, (one, other) in enumerate(zip(expected, got, strict=False)):
            difference = first_difference(one, other, f"{name}[{index}]")
            if difference is not None:
                return difference
        return f"{len(expected)} {name}, got {len(got)}"
    start = 0
    if isinstance(expected, str) and isinstance(got, str):
        equal = [one == other for one, other in zip(expected, got, strict=False)]
        same = equal.index(False) if False in equal else len(equal)
        start = max(0, same - _WIDTH // 2)
    return f"{name} {_short(expected, start)}, got {_short(got, start)}"


def _short(value: Any, start: int) -> str:
    if isinstance(value, str):
        before = "…" if start else ""
        part = value[start : start + _WIDTH]
        text = json.dumps(before + part, ensure_ascii=True)
    else:
        text = encode(value)
    return text if len(text) <= 2 * _WIDTH else f"{text[: 2 * _WIDTH]}…"
