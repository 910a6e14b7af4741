"""The public execution record h at a pending call: what a reviewer may see (paper, section 3.1)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias

from controlscope.budgets import Contract
from controlscope.canonical import JsonObject, digest
from controlscope.continuations import CallSite, Position, Site
from controlscope.parameters import Overrides, overrides_json
from controlscope.tasks import Block
from controlscope.tools import Tool

__all__ = [
    "Boundary",
    "History",
    "PendingCall",
    "Remaining",
    "Variables",
    "View",
]

View: TypeAlias = Literal["code_only", "with_feedback"]
"""What a reviewer is shown. `with_feedback`: the whole record. `code_only`: the record as it was
when the current reply was generated, with that reply's code and queue, and the pending tool and
line (paper, appendix A.3)."""


@dataclass(frozen=True)
class PendingCall:
    """The call that waits: its tool, its keyword arguments and where it stands in the block."""

    tool: str
    arguments: JsonObject
    position: Position

    @property
    def site(self) -> CallSite:
        """Where the call stands, as overrides name it."""
        return CallSite(self.tool, self.position.line, self.position.column)

    def as_json(self) -> JsonObject:
        """Return the call as logged and hashed."""
        return {
            "tool": self.tool,
            "arguments": self.arguments,
            "position": list(self.position),
        }


@dataclass(frozen=True)
class Variables:
    """The program's variables that have an exact JSON form.

    `block` are the locals of the innermost function of the block (empty at module level),
    `module` the module's. `unexposed` names those that have no JSON form or are too large: state
    keys say nothing of them.
    """

    block: JsonObject
    module: JsonObject
    unexposed: tuple[str, ...] = ()

    def as_json(self) -> JsonObject:
        """Return the variables as logged and hashed."""
        return {"block": self.block, "module": self.module, "unexposed": list(self.unexposed)}


@dataclass(frozen=True)
class Remaining:
    """What is left of the counted budgets; never seconds, so that latency changes no outcome.

    `blocks` come after the running one, `requests` are that one's. None: there is no such limit.
    """

    calls: int | None = None
    planning_turns: int | None = None
    blocks: int | None = None
    requests: int | None = None

    def as_json(self) -> JsonObject:
        """Return what is limited, as logged."""
        return {name: left for name, left in asdict(self).items() if left is not None}

    def __str__(self) -> str:
        words = {
            "calls": "calls",
            "planning_turns": "planning turns",
            "blocks": "blocks after this one",
            "requests": "requests in this block",
        }
        return ", ".join(f"{left} {words[name]}" for name, left in self.as_json().items())


@dataclass(frozen=True)
class History:
    """The public record before the current pause, as an append-only chain of entries.

    Entries are `{"kind": "reply" | "call" | "result" | "receipt" | "decision", …}`. `key` is a hash
    chain over them, so that a state key costs the same at call 100 as at call 1; review decisions
    are no part of it.
    """

    entries: tuple[JsonObject, ...] = ()
    key: str = digest([])

    def __add__(self, entry: JsonObject) -> "History":
        return History((*self.entries, entry), digest([self.key, entry]))

    def until_last_reply(self) -> "History":
        """Return the record that ends with the last reply, without what it has done since."""
        last = max(
            (n for n, entry in enumerate(self.entries) if entry["kind"] == "reply"), default=-1
        )
        return History(self.entries[: last + 1])

    def noted(self, decision: JsonObject) -> "History":
        """Add a review decision, which stands in the record and leaves the state as it is."""
        return History((*self.entries, {"kind": "decision", **decision}), self.key)


@dataclass(frozen=True)
class Boundary:
    """One pause. `index` counts the run's boundaries from 0.

    `block` is the code that runs now (a replacement's code after a replacement), `queued` what the
    same reply still holds. `decisions` are the earlier reviews of this run. `environment` is the
    digest of the environment's state. `overrides` are in force for the rest of the block, and
    `pending` has them already.
    """

    index: int
    goal: str
    proxy: str
    history: History
    block: Block
    queued: tuple[Block, ...]
    pending: PendingCall
    site: Site
    variables: Variables
    printed: str
    decisions: tuple[JsonObject, ...]
    tools: Mapping[str, Tool]
    remaining: Remaining
    environment: str
    contract: Contract | None = None
    overrides: Overrides = field(default_factory=dict)
    view: View = "with_feedback"

    def seen(self, view: View) -> "Boundary":
        """Return what a view shows of this boundary; the operation acts on the whole one."""
        if view == "with_feedback":
            return self
        return replace(
            self,
            history=self.history.until_last_reply(),
            pending=replace(self.pending, arguments={}),
            variables=Variables({}, {}, ()),
            printed="",
            environment="",
            overrides={},
            view=view,
        )

    def as_json(self) -> JsonObject:
        """Return what the log says of the pause; the history and the code stand there already."""
        return {
            "index": self.index,
            "block": self.block.id,
            "pending": self.pending.as_json(),
            "site": asdict(self.site),
            "variables": self.variables.as_json(),
            "printed": self.printed,
            "queued": [block.id for block in self.queued],
            "remaining": self.remaining.as_json(),
            "overrides": overrides_json(self.overrides),
            "environment": self.environment,
            "state_key": self.state_key,
        }

    @cached_property
    def state_key(self) -> str:
        """Hash of the exposed state: two branches are in the same state iff their keys are equal.

        Review decisions are left out: the same patch under two scope labels gives one state.
        """
        return digest(
            {
                "history": self.history.key,
                "block": self.block.code,
                "queued": [[block.id, block.code] for block in self.queued],
                "pending": self.pending.as_json(),
                "overrides": overrides_json(self.overrides),
                "variables": self.variables.as_json(),
                "printed": self.printed,
                "environment": self.environment,
            }
        )
