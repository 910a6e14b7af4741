"""A panel's specification: which tasks, programs and conditions, and the runs that follow."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from controlscope.canonical import JsonObject, digest, digest_bytes
from controlscope.errors import InputError
from controlscope.operations import ReplaceBoundary, Scope
from controlscope.schedules import Never, parse_schedule
from controlscope.tasks import Suite, Task
from panels.launch import RunPlan
from panels.suite import find_suite, load_suite
from panels.toml import Strict, read_toml
from reviewers.resolve import resolve_reviewer

__all__ = ["Condition", "Panel", "PanelSpec", "ResolvedSpec", "load_panel"]


def _known(parse: Callable[[str], object], text: str) -> str:
    try:
        parse(text)
    except InputError as error:
        raise ValueError(str(error)) from None
    return text


def _known_reviewer(text: str) -> str:
    return _known(resolve_reviewer, text)


Reviewer: TypeAlias = Annotated[str, AfterValidator(_known_reviewer)]


class Condition(Strict):
    """A named policy: the granted scope, when a review is offered, and who reviews."""

    scope: Scope
    schedule: str = "continuous"
    reviewer: Reviewer = "keep"

    @field_validator("schedule")
    @classmethod
    def _known_schedule(cls, text: str) -> str:
        return _known(parse_schedule, text)


class PanelSpec(Strict):
    """The file a user writes. `tasks` are ids of the suite; empty means all that allow code.

    `reviewer` reviews in every condition that names none, except under the scope keep.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]*$")
    suite: str
    tasks: tuple[str, ...] = Field(default=(), strict=False)
    programs: Annotated[tuple[str, ...], Field(strict=False)] = ("P1", "P2")
    seed: int = Field(default=7, ge=0)
    replace: ReplaceBoundary = "reply"
    reviewer: Reviewer = "keep"
    conditions: dict[str, Condition] = Field(min_length=1)

    @field_validator("conditions")
    @classmethod
    def _reviewed(
        cls, conditions: dict[str, Condition], info: ValidationInfo
    ) -> dict[str, Condition]:
        reviewer = {"reviewer": info.data.get("reviewer", "keep")}
        return {
            name: condition
            if condition.scope == "keep" or "reviewer" in condition.model_fields_set
            else condition.model_copy(update=reviewer)
            for name, condition in conditions.items()
        }

    @model_validator(mode="after")
    def _keep_reviews_nothing(self) -> "PanelSpec":
        for name, condition in self.conditions.items():
            if condition.scope == "keep" and condition.reviewer != "keep":
                raise ValueError(f"condition {name}: the scope keep makes no reviews")
        return self


class ResolvedSpec(PanelSpec):
    """`panel.toml` of a started panel: the spec with each task's content hash."""

    contents: dict[str, str]


class Panel:
    """A specification with its suite loaded: the runs it assigns, in their one order."""

    def __init__(self, spec: PanelSpec, suite: Suite, limit: int | None = None) -> None:
        self.spec = spec
        self.suite = suite
        self.tasks = self._chosen()[:limit]
        self.runs = [run for task in self.tasks for run in self._runs_of(task)]

    def _chosen(self) -> list[Task]:
        names = self.spec.tasks or [task.id for task in self.suite.tasks.values() if task.code]
        unknown = sorted(set(names) - set(self.suite.tasks))
        if unknown:
            raise InputError(f"tasks: no task {unknown[0]!r} in suite {self.suite.name}")
        return [self.suite.tasks[name] for name in names]

    def _runs_of(self, task: Task) -> list[RunPlan]:
        missing = [name for name in self.spec.programs if name not in task.programs]
        if missing:
            raise InputError(f"programs: task {task.id} has no program {missing[0]!r}")
        return [
            RunPlan(
                suite=self.suite,
                task=task,
                program=task.programs[program],
                condition=name,
                scope=condition.scope,
                schedule=Never()
                if condition.scope == "keep"
                else parse_schedule(condition.schedule),
                reviewer=condition.reviewer,
                replace=self.spec.replace,
            )
            for program in self.spec.programs
            for name, condition in self.spec.conditions.items()
        ]

    def resolved(self) -> JsonObject:
        """Return the specification with every default, and a hash of each task's content.

        What decides the outcome is in it: a panel that was started is refused when it changes.
        """
        contents = {task.id: _content_hash(self.suite, task) for task in self._chosen()}
        return {**self.spec.model_dump(mode="json"), "contents": contents}


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
