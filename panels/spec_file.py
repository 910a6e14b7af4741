"""The file that specifies a panel, as a user writes it and as a started panel keeps it."""

from collections.abc import Callable
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field, field_validator, model_validator

from controlscope.boundaries import View
from controlscope.budgets import Contract
from controlscope.errors import InputError
from controlscope.operations import ReplaceBoundary, Scope
from controlscope.roles import Fallback
from controlscope.schedules import parse_schedule
from panels.plans import ShareUntil
from panels.siting import RULES
from panels.toml import Strict
from reviewers.limits import Limits, purse_of
from reviewers.resolve import SCRIPTED, check_planner, resolve_reviewer
from reviewers.settings import ModelSettings

__all__ = ["FROZEN", "PLANNED", "Condition", "PanelSpec", "ResolvedSpec", "Row"]

_MODEL = "model:"

FROZEN = "frozen:"
"""What the name of a reviewer begins with whose operations stand in a file."""

PLANNED = "planned"
"""The program of a row that has no source: the planner gives the first reply too."""


def _known(parse: Callable[[str], object], text: str) -> str:
    try:
        parse(text)
    except InputError as error:
        raise ValueError(str(error)) from None
    return text


def _known_reviewer(text: str) -> str:
    if text == "human":
        raise ValueError("a person reviews one run at a time: controlscope run --reviewer human")
    # A file of operations is read when a panel starts; its report needs it no more.
    return text if text.startswith((_MODEL, FROZEN)) else _known(resolve_reviewer, text)


def _known_planner(text: str) -> str:
    return text if text.startswith(_MODEL) else _known(check_planner, text)


Reviewer: TypeAlias = Annotated[str, AfterValidator(_known_reviewer)]
ContrastName: TypeAlias = Annotated[str, Field(pattern=r"^[^:]+:[^:]+$")]
Name: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_. -]*$")]


class Condition(Strict):
    """A named policy: the granted scope, when a review is offered, and who reviews.

    The schedules `local`, `feedback`, `midpoint:once` and `midpoint:continuous` are rules that find
    their boundary in the program's Keep run (`panels/siting.py`).

    `view` says what the reviewer is shown, all of the record by default.

    Controls: `offered` asks the reviewer under another scope than is granted (a sham review under
    `keep`, Full's request with Arg's permission); `fresh` draws ordinary planning anew in each
    draw, which under `keep` shows the noise that no review made.
    """

    scope: Scope
    schedule: str = "continuous"
    reviewer: Reviewer | None = None
    offered: Scope | None = None
    view: View | None = None
    fresh: bool = False

    @property
    def reviews(self) -> bool:
        """Whether there are reviews at all."""
        return self.scope != "keep" or self.offered is not None

    @field_validator("schedule")
    @classmethod
    def _known_schedule(cls, text: str) -> str:
        if text in RULES:
            return text
        try:
            return _known(parse_schedule, text)
        except ValueError as error:
            raise ValueError(f"{error}; or, in a panel, {', '.join(RULES)}") from None


class Row(Strict):
    """One row of the tables: a program, and who reviews it how often; what is left out is the
    panel's. A draw is one sampled repetition of the reviewed conditions.
    """

    program: str
    reviewer: Reviewer | None = None
    replace: ReplaceBoundary | None = None
    fallback: Fallback | None = None
    draws: int = Field(default=1, ge=1, le=1000)


class PanelSpec(Strict):
    """The file a user writes. `tasks` are ids of the suite; empty means all that allow code.
    `left_out` are categories without which the panel is; `expects` is the number of tasks that must
    remain, so that incomplete data are noticed.

    `reviewer` reviews in every condition that names none, except under the scope keep; `model:NAME`
    is one of `models`. Without `rows`, each of `programs` is one. Planner responses are shared
    between runs where requests coincide exactly, unless `share` is false; reviews between
    conditions that offer the same as far as `share_until`. `fallback` says what follows a review
    that gave no operation. `contrasts` are the pairs A:B that are
    compared, by default those between the scopes and of the controls. `sources` is a folder of
    generated programs, which take the place of the suite's own; under the program `planned` the
    planner gives the first reply too. `limits` end the panel's spending. `contract` is that of an
    AppWorld suite's tasks, where it is not their own.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]*$")
    suite: str
    sources: str | None = None
    tasks: tuple[str, ...] = Field(default=(), strict=False)
    left_out: tuple[str, ...] = Field(default=(), strict=False)
    expects: int | None = Field(default=None, ge=1)
    programs: Annotated[tuple[str, ...], Field(strict=False, min_length=1)] = ("P1", "P2")
    seed: int = Field(default=7, ge=0)
    replace: ReplaceBoundary = "reply"
    fallback: Fallback = "keep"
    contract: Contract | None = None
    reviewer: Reviewer = "keep"
    planner: Annotated[str, AfterValidator(_known_planner)] = SCRIPTED
    share: bool = True
    share_until: ShareUntil | None = None
    contrasts: tuple[ContrastName, ...] = Field(default=(), strict=False)
    planner_sees_reviews: bool = False
    reviewer_sees_budget: bool = True
    models: dict[str, ModelSettings] = Field(default_factory=dict)
    limits: Limits = Limits()
    rows: dict[Name, Row] = Field(default_factory=dict)
    conditions: dict[Name, Condition] = Field(min_length=1)

    @field_validator("tasks", "left_out", "programs")
    @classmethod
    def _once_each(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        repeated = [name for name in names if names.count(name) > 1]
        if repeated:
            raise ValueError(f"{repeated[0]!r} is named twice")
        return names

    @model_validator(mode="after")
    def _keep_reviews_nothing(self) -> "PanelSpec":
        for name, condition in self.conditions.items():
            if condition.reviewer is not None and not condition.reviews:
                raise ValueError(f"condition {name}: the scope keep makes no reviews")
        return self

    @model_validator(mode="after")
    def _contrasts_are_of_conditions(self) -> "PanelSpec":
        for contrast in self.contrasts:
            for name in contrast.split(":"):
                if name not in self.conditions:
                    raise ValueError(f"contrasts: {contrast} is not of two conditions: {name!r}")
        return self

    @model_validator(mode="after")
    def _rules_have_a_source(self) -> "PanelSpec":
        keep = self.conditions.get("keep")
        sourced = keep is not None and not keep.reviews and not keep.fresh
        for name, condition in self.conditions.items():
            if condition.schedule in RULES and not sourced:
                raise ValueError(
                    f"condition {name}: the schedule {condition.schedule} needs a condition keep"
                    " of the scope keep, whose run it is found in"
                )
        return self

    @model_validator(mode="after")
    def _limits_can_hold(self) -> "PanelSpec":
        purse_of(self.limits, self.models.values())
        return self

    @model_validator(mode="after")
    def _models_are_known(self) -> "PanelSpec":
        named = [row.reviewer for row in self.rows.values()]
        named += [condition.reviewer for condition in self.conditions.values()]
        for name in (self.reviewer, self.planner, *named):
            if name and name.startswith(_MODEL) and name.removeprefix(_MODEL) not in self.models:
                raise ValueError(
                    f"{name} is none of the models: {', '.join(self.models) or 'none'}"
                )
        return self

    def model(self, name: str) -> ModelSettings | None:
        """Return the settings behind `model:NAME`, or None where a script is named."""
        return self.models[name.removeprefix(_MODEL)] if name.startswith(_MODEL) else None

    def all_rows(self) -> dict[str, Row]:
        """Return the rows, by name, with what they leave out filled in."""
        rows = self.rows or {name: Row(program=name) for name in self.programs}
        return {
            name: Row(
                program=row.program,
                reviewer=row.reviewer or self.reviewer,
                replace=row.replace or self.replace,
                fallback=row.fallback or self.fallback,
                draws=row.draws,
            )
            for name, row in rows.items()
        }


class ResolvedSpec(PanelSpec):
    """`panel.toml` of a started panel: the spec with each task's content hash."""

    contents: dict[str, str]
