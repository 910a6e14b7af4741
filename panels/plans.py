"""What is to be run: one program of one task under one policy, and the models it asks."""

import platform
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Literal, TypeAlias

from controlscope.boundaries import View
from controlscope.canonical import JsonObject, digest
from controlscope.errors import InputError
from controlscope.operations import ReplaceBoundary, Scope
from controlscope.roles import Fallback
from controlscope.schedules import Never, Once, PerBlock, Schedule
from controlscope.tasks import SourceProgram, Suite, Task
from executors.confinement import means
from executors.worker.boxes.choosing import AUTO, chosen
from panels.siting import Sited
from panels.suite import address_of
from reviewers.resolve import SCRIPTED
from reviewers.settings import ModelSettings

__all__ = ["Models", "RunPlan", "ShareUntil"]

ShareUntil: TypeAlias = Literal["first_review", "first_replacement"]
"""Reviews that are one decision for every condition that offers the same operations: the first one
(midpoint), or all through the first accepted replacement (protection)."""


@dataclass(frozen=True)
class Models:
    """The models of one run; None where a script plans or reviews.

    `planner_draw` is empty where planner responses are shared with every run whose requests
    coincide exactly. `share_until`: so far conditions that offer the same share their reviews too.
    `planner_sees_reviews` and `reviewer_sees_budget` are the same in every
    condition of a panel.
    """

    planner: ModelSettings | None = None
    reviewer: ModelSettings | None = None
    planner_draw: str = ""
    planner_sees_reviews: bool = False
    reviewer_sees_budget: bool = True
    share_until: ShareUntil | None = None

    def as_json(self) -> JsonObject | None:
        """Return what the run's log says of them, or None without a model."""
        if self.planner is None and self.reviewer is None:
            return None
        return {
            "planner": None if self.planner is None else self.planner.model_dump(mode="json"),
            "reviewer": None if self.reviewer is None else self.reviewer.model_dump(mode="json"),
            "planner_draw": self.planner_draw,
            "planner_sees_reviews": self.planner_sees_reviews,
            "reviewer_sees_budget": self.reviewer_sees_budget,
            "share_until": self.share_until,
        }


@dataclass(frozen=True)
class RunPlan:
    """One run of a panel, or a single one: everything that decides its outcome.

    `offered` is the scope that the reviewer is asked under where it is not the granted one (a
    control), `view` what it is shown. `reviewer` and `planner` are names, `models` the models
    behind them. A schedule by a rule is sited by the Keep run whose id is `source`; the plan that
    is executed has it as a boundary's, and the rule's name in `rule`. `worker` names the back end
    that runs the program: the machine's matter, and no part of what a run is.
    """

    suite: Suite
    task: Task
    program: SourceProgram
    condition: str
    scope: Scope
    schedule: Schedule | Sited
    reviewer: str
    replace: ReplaceBoundary
    draw: int = 0
    row: str = ""
    fallback: Fallback = "keep"
    offered: Scope | None = None
    view: View | None = None
    planner: str = SCRIPTED
    models: Models = Models()
    source: str = ""
    rule: str = ""
    worker: str = AUTO

    def __post_init__(self) -> None:
        """Refuse a policy that the task's contract does not know: InputError."""
        condition, contract = f"condition {self.condition}", self.task.contract
        if "params" in (self.scope, self.offered) and contract != "v2":
            raise InputError(
                f"{condition}: the scope params needs the contract v2, which task {self.task.id}"
                f" is not under: use arg or full"
            )
        if contract == "v1" and self.replace != "block":
            raise InputError(
                f"{condition}: under the contract v1 a replacement is of the current block: replace"
                ' = "block"'
            )
        once = self.schedule.once if isinstance(self.schedule, Sited) else None
        if contract == "v1" and not (once or isinstance(self.schedule, Never | Once | PerBlock)):
            raise InputError(
                f"{condition}: under the contract v1 a block has one review: schedule ="
                ' "per_block", or one that reviews once'
            )

    @property
    def mode(self) -> str:
        """How the reviewer's model is asked, or `scripted`."""
        return "scripted" if self.models.reviewer is None else self.models.reviewer.mode

    @property
    def reviewed(self) -> bool:
        """Whether there are reviews at all."""
        return self.scope != "keep" or self.offered is not None

    @property
    def id(self) -> str:
        """Name of the run in its panel: a hash of task, program, condition, draw and seeds."""
        return digest(
            [
                self.suite.name,
                self.task.id,
                self.program.name,
                [self.condition, self.row],
                self.draw,
                self.task.seed,
            ]
        )[:16]

    def header(self) -> JsonObject:
        """Return what `run.json` says of the run."""
        return {
            "run": self.id,
            "suite": self.suite.name,
            "label": self.suite.label,
            "task": self.task.id,
            "program": self.program.name,
            "source": {
                "suite": address_of(self.suite.folder),
                "replies": [asdict(reply) for reply in self.program.replies],
            },
            "condition": self.condition,
            "policy": {
                "scope": self.scope,
                "schedule": str(self.schedule),
                "rule": self.rule,
                "reviewer": self.reviewer,
                "replace": self.replace,
                "fallback": self.fallback,
                "offered": self.offered or self.scope,
                "view": self.view or "with_feedback",
                "mode": self.mode,
            },
            "planner": self.planner,
            "models": self.models.as_json(),
            "budgets": asdict(self.task.budget),
            "contract": self.task.contract,
            "seeds": {"environment": self.task.seed, "draw": self.draw},
            "back_end": chosen(self.worker).name,
            "tool_server": means(),
            "versions": {
                "controlscope": version("controlscope"),
                "python": platform.python_version(),
                "mcp": version("mcp"),
            },
            "lineage": None,
        }
