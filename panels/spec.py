"""A panel's specification: which tasks, programs and conditions, and the runs that follow."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field, field_validator, model_validator

from controlscope.canonical import JsonObject, digest, digest_bytes
from controlscope.errors import InputError
from controlscope.operations import ReplaceBoundary, Scope
from controlscope.schedules import Never, parse_schedule
from controlscope.tasks import Suite, Task
from panels.plans import Models, RunPlan
from panels.suite import find_suite, load_suite
from panels.toml import Strict, read_toml
from reviewers.resolve import resolve_reviewer
from reviewers.settings import ModelSettings

__all__ = ["Condition", "Group", "Panel", "PanelSpec", "ResolvedSpec", "Row", "load_panel"]


_MODEL = "model:"


def _known(parse: Callable[[str], object], text: str) -> str:
    try:
        parse(text)
    except InputError as error:
        raise ValueError(str(error)) from None
    return text


def _known_reviewer(text: str) -> str:
    if text == "human":
        raise ValueError("a person reviews one run at a time: controlscope run --reviewer human")
    return text if text.startswith(_MODEL) else _known(resolve_reviewer, text)


Reviewer: TypeAlias = Annotated[str, AfterValidator(_known_reviewer)]


class Condition(Strict):
    """A named policy: the granted scope, when a review is offered, and who reviews.

    Controls: `offered` asks the reviewer under another scope than is granted (a sham review under
    `keep`, Full's request with Arg's permission); `fresh` draws ordinary planning anew in each
    draw, which under `keep` shows the noise that no review made.
    """

    scope: Scope
    schedule: str = "continuous"
    reviewer: Reviewer | None = None
    offered: Scope | None = None
    fresh: bool = False

    @property
    def reviews(self) -> bool:
        """Whether there are reviews at all."""
        return self.scope != "keep" or self.offered is not None

    @field_validator("schedule")
    @classmethod
    def _known_schedule(cls, text: str) -> str:
        return _known(parse_schedule, text)


class Row(Strict):
    """One row of the tables: a program, and who reviews it how often; what is left out is the
    panel's. A draw is one sampled repetition of the reviewed conditions.
    """

    program: str
    reviewer: Reviewer | None = None
    replace: ReplaceBoundary | None = None
    draws: int = Field(default=1, ge=1, le=1000)


class PanelSpec(Strict):
    """The file a user writes. `tasks` are ids of the suite; empty means all that allow code.

    `reviewer` reviews in every condition that names none, except under the scope keep; `model:NAME`
    is one of `models`. Without `rows`, each of `programs` is one. Planner responses are shared
    between runs where requests coincide exactly, unless `share` is false.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]*$")
    suite: str
    tasks: tuple[str, ...] = Field(default=(), strict=False)
    programs: Annotated[tuple[str, ...], Field(strict=False)] = ("P1", "P2")
    seed: int = Field(default=7, ge=0)
    replace: ReplaceBoundary = "reply"
    reviewer: Reviewer = "keep"
    planner: str = Field(default="scripted", pattern=r"^(scripted|model:.+)$")
    share: bool = True
    planner_sees_reviews: bool = False
    reviewer_sees_budget: bool = True
    models: dict[str, ModelSettings] = Field(default_factory=dict)
    rows: dict[str, Row] = Field(default_factory=dict)
    conditions: dict[str, Condition] = Field(min_length=1)

    @model_validator(mode="after")
    def _keep_reviews_nothing(self) -> "PanelSpec":
        for name, condition in self.conditions.items():
            if condition.reviewer is not None and not condition.reviews:
                raise ValueError(f"condition {name}: the scope keep makes no reviews")
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
                draws=row.draws,
            )
            for name, row in rows.items()
        }


class ResolvedSpec(PanelSpec):
    """`panel.toml` of a started panel: the spec with each task's content hash."""

    contents: dict[str, str]


@dataclass(frozen=True)
class Group:
    """One draw of one row: the runs of each condition, a task each, in the tasks' order.

    A Keep run belongs to every group of its program; in all but the first it is reused.
    """

    row: str
    program: str
    draw: int
    replace: ReplaceBoundary
    runs: Mapping[str, tuple[RunPlan, ...]]


class Panel:
    """A specification with its suite loaded: the runs it assigns, in their one order."""

    def __init__(self, spec: PanelSpec, suite: Suite, limit: int | None = None) -> None:
        self.spec = spec
        self.suite = suite
        self.tasks = self._chosen()[:limit]
        self.groups = [
            self._group(name, row, draw)
            for name, row in spec.all_rows().items()
            for draw in range(row.draws)
        ]
        # By task, so that what is finished first can be read first; each run once.
        by_task = zip(*(runs for group in self.groups for runs in group.runs.values()), strict=True)
        self.runs = list({plan.id: plan for plans in by_task for plan in plans}.values())

    def _chosen(self) -> list[Task]:
        names = self.spec.tasks or [task.id for task in self.suite.tasks.values() if task.code]
        unknown = sorted(set(names) - set(self.suite.tasks))
        if unknown:
            raise InputError(f"tasks: no task {unknown[0]!r} in suite {self.suite.name}")
        return [self.suite.tasks[name] for name in names]

    def _group(self, name: str, row: Row, draw: int) -> Group:
        replace = row.replace or self.spec.replace
        runs = {
            condition: tuple(self._plan(task, row, condition, replace, draw) for task in self.tasks)
            for condition in self.spec.conditions
        }
        return Group(name, row.program, draw, replace, runs)

    def _plan(
        self, task: Task, row: Row, name: str, replace: ReplaceBoundary, draw: int
    ) -> RunPlan:
        if row.program not in task.programs:
            raise InputError(f"programs: task {task.id} has no program {row.program!r}")
        condition = self.spec.conditions[name]
        spec = self.spec
        reviewer = condition.reviewer or row.reviewer or spec.reviewer
        schedule = parse_schedule(condition.schedule)
        if not condition.reviews:
            # Without reviews, one run serves every row and draw of its program.
            reviewer, schedule, replace = "keep", Never(), spec.replace
            draw = draw if condition.fresh else 0
        shared = spec.share and not condition.fresh
        return RunPlan(
            suite=self.suite,
            task=task,
            program=task.programs[row.program],
            condition=name,
            scope=condition.scope,
            schedule=schedule,
            reviewer=reviewer,
            replace=replace,
            draw=draw,
            offered=condition.offered,
            models=Models(
                planner=spec.model(spec.planner),
                reviewer=spec.model(reviewer),
                planner_draw="" if shared else f"{name}/{draw}",
                planner_sees_reviews=spec.planner_sees_reviews,
                reviewer_sees_budget=spec.reviewer_sees_budget,
            ),
        )

    def resolved(self) -> JsonObject:
        """Return the specification with every default, and a hash of each task's content.

        What decides the outcome is in it: a panel that was started is refused when it changes.
        """
        contents = {task.id: _content_hash(self.suite, task) for task in self._chosen()}
        return {**self.spec.model_dump(mode="json", exclude_none=True), "contents": contents}


def load_panel(path: Path, model: type[PanelSpec] = PanelSpec, limit: int | None = None) -> Panel:
    """Read a spec's file and the suite it names; InputError names the file and the key."""
    spec = read_toml(path, model)
    try:
        return Panel(spec, load_suite(find_suite(spec.suite), spec.seed), limit)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _content_hash(suite: Suite, task: Task) -> str:
    """Hash what decides a task's runs: its files, its environment, its programs, its server."""
    files = _files(task.folder)
    if not task.environment.is_relative_to(task.folder):
        files |= {f"environment/{name}": path for name, path in _files(task.environment).items()}
    content = {name: digest_bytes(path.read_bytes()) for name, path in files.items()}
    programs = {name: asdict(program) for name, program in task.programs.items()}
    return digest([content, programs, suite.proxy, suite.server.as_json()])


def _files(folder: Path) -> dict[str, Path]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {
        path.relative_to(folder).as_posix(): path
        for path in paths
        if "__pycache__" not in path.parts
    }
