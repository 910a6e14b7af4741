"""A panel: which tasks, programs and conditions a specification names, and the runs that follow."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from controlscope.canonical import JsonObject, digest, digest_bytes
from controlscope.errors import InputError
from controlscope.operations import ReplaceBoundary
from controlscope.schedules import Never, Schedule, parse_schedule
from controlscope.tasks import SourceProgram, Suite, Task
from panels.plans import Models, RunPlan
from panels.programs import load_programs
from panels.siting import RULES, Sited
from panels.spec_file import FROZEN, PLANNED, PanelSpec, Row
from panels.suite import SUITES, find_suite, load_suite
from panels.toml import read_toml
from reviewers.resolve import SCRIPTED, resolve_reviewer

__all__ = ["Group", "Panel", "chosen_tasks", "load_panel"]


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
        self.tasks = [_under(task, spec) for task in chosen_tasks(spec, suite)[:limit]]
        self.groups = [
            self._group(name, row, draw)
            for name, row in spec.all_rows().items()
            for draw in range(row.draws)
        ]
        # By task, so that what is finished first can be read first; each run once.
        by_task = zip(*(runs for group in self.groups for runs in group.runs.values()), strict=True)
        self.runs = list({plan.id: plan for plans in by_task for plan in plans}.values())

    @property
    def has_models(self) -> bool:
        """Whether a model plans or reviews in any run."""
        return any(plan.models.as_json() is not None for plan in self.runs)

    def _group(self, name: str, row: Row, draw: int) -> Group:
        runs = {
            condition: tuple(self._plan(task, name, row, condition, draw) for task in self.tasks)
            for condition in self.spec.conditions
        }
        return Group(name, row.program, draw, row.replace or self.spec.replace, runs)

    def _plan(self, task: Task, row_name: str, row: Row, name: str, draw: int) -> RunPlan:
        condition = self.spec.conditions[name]
        spec = self.spec
        replace = row.replace or spec.replace
        reviewer = condition.reviewer or row.reviewer or spec.reviewer
        schedule: Schedule | Sited
        schedule = RULES.get(condition.schedule) or parse_schedule(condition.schedule)
        if not condition.reviews:
            # Without reviews, one run serves every row and draw of its program.
            reviewer, schedule, replace = "keep", Never(), spec.replace
            draw = draw if condition.fresh else 0
        shared = spec.share and not condition.fresh
        return RunPlan(
            suite=self.suite,
            task=task,
            program=self._program(task, row.program),
            condition=name,
            scope=condition.scope,
            schedule=schedule,
            reviewer=reviewer,
            replace=replace,
            draw=draw,
            row=row_name if condition.reviews else "",
            fallback=(row.fallback or spec.fallback) if condition.reviews else "keep",
            offered=condition.offered,
            view=condition.view,
            planner=spec.planner,
            source=self._plan(task, row_name, row, "keep", 0).id
            if isinstance(schedule, Sited)
            else "",
            models=Models(
                planner=spec.model(spec.planner),
                reviewer=spec.model(reviewer),
                planner_draw="" if shared else f"{name}/{draw}",
                planner_sees_reviews=spec.planner_sees_reviews,
                reviewer_sees_budget=spec.reviewer_sees_budget,
                share_until=spec.share_until,
            ),
        )

    def _program(self, task: Task, name: str) -> SourceProgram:
        if name == PLANNED:
            if self.spec.planner == SCRIPTED:
                raise InputError(f"programs: {PLANNED} needs a planner that is no script")
            return SourceProgram(PLANNED, ())
        if name not in task.programs:
            raise InputError(f"programs: task {task.id} has no program {name!r}")
        return task.programs[name]

    def resolved(self) -> JsonObject:
        """Return the specification with every default, and a hash of each task's content.

        What decides the outcome is in it: a panel that was started is refused when it changes. Its
        limits do not: it may go on with other ones.
        """
        contents = {
            task.id: _content_hash(self.suite, task) for task in chosen_tasks(self.spec, self.suite)
        }
        contents |= self._decided_beforehand()
        contents["suites"] = _shared_hash()
        if any(task.kind == "alfworld" for task in self.tasks):
            contents["games"] = _manifest(self.suite)
        spec = self.spec.model_dump(mode="json", exclude_none=True, exclude={"limits"})
        return {**spec, "contents": contents}

    def _decided_beforehand(self) -> dict[str, str]:
        """Return the hashes of the frozen operations, which are read and checked here."""
        names = {plan.reviewer for plan in self.runs if plan.reviewer.startswith(FROZEN)}
        for name in names:
            resolve_reviewer(name)
        files = {name: Path(name.removeprefix(FROZEN)) for name in sorted(names)}
        return {name: digest_bytes(file.read_bytes()) for name, file in files.items()}


def chosen_tasks(spec: PanelSpec, suite: Suite) -> list[Task]:
    """Return the tasks that a spec names, or all that allow code, without what it leaves out.

    InputError where there is no such task or category, or where another number is expected.
    """
    names = spec.tasks or [task.id for task in suite.tasks.values() if task.code]
    unknown = sorted(set(names) - set(suite.tasks))
    if unknown:
        raise InputError(f"tasks: no task {unknown[0]!r} in suite {suite.name}")
    strange = sorted(set(spec.left_out) - {task.category for task in suite.tasks.values()})
    if strange:
        raise InputError(f"left_out: no category {strange[0]!r} in suite {suite.name}")
    tasks = [suite.tasks[name] for name in names]
    tasks = [task for task in tasks if task.category not in spec.left_out]
    if not tasks:
        raise InputError(f"left_out: no task of suite {suite.name} remains")
    if spec.expects not in (None, len(tasks)):
        raise InputError(
            f"expects: {spec.expects} tasks, and suite {suite.name} gives {len(tasks)}: are its"
            " data whole?"
        )
    return tasks


def _under(task: Task, spec: PanelSpec) -> Task:
    """Return a task under the contract that a spec names, if it names one."""
    if spec.contract is None:
        return task
    if task.contract is None:
        raise InputError(f"contract: the tasks of {spec.suite} have none: leave the key out")
    return replace(task, contract=spec.contract)


def load_panel(path: Path, model: type[PanelSpec] = PanelSpec, limit: int | None = None) -> Panel:
    """Read a spec's file and the suite it names; InputError names the file and the key."""
    spec = read_toml(path, model)
    try:
        suite = load_suite(find_suite(spec.suite), spec.seed)
        if spec.sources is not None:
            suite = _with_sources(suite, Path(spec.sources))
        return Panel(spec, suite, limit)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _with_sources(suite: Suite, sources: Path) -> Suite:
    """Put generated programs, in the folders CATEGORY/TASK/p1, in the place of a suite's own."""
    if not sources.is_dir():
        raise InputError(
            f"sources: {sources} is no folder; controlscope programs generate SPEC --out {sources}"
            " makes it"
        )
    tasks = {
        name: replace(task, programs=load_programs(sources / name))
        for name, task in suite.tasks.items()
    }
    return replace(suite, tasks=tasks)


def _content_hash(suite: Suite, task: Task) -> str:
    """Hash what decides a task's runs: its files, its environment, its programs, its server."""
    if task.kind == "alfworld":
        return digest([_digest_of(task.environment), _programs_of(task), suite.proxy])
    files = _files(task.folder)
    if task.kind == "appworld":
        return digest(
            [_digests(files), _programs_of(task), suite.proxy, _world_hash(task.environment)]
        )
    if not task.environment.is_relative_to(task.folder):
        files |= {f"environment/{name}": path for name, path in _files(task.environment).items()}
    return digest([_digests(files), _programs_of(task), suite.proxy, suite.server.as_json()])


def _manifest(suite: Suite) -> str:
    """Hash every game that the suite's data hold, chosen or not."""
    return digest({name: _digest_of(task.environment) for name, task in suite.tasks.items()})


@cache
def _world_hash(root: Path) -> str:
    """Hash what the worlds of a data root share."""
    data = root / "data"
    return digest({name: _digests(_files(data / name)) for name in ("api_docs", "base_dbs")})


def _programs_of(task: Task) -> JsonObject:
    return {name: asdict(program) for name, program in task.programs.items()}


def _digests(files: Mapping[str, Path]) -> JsonObject:
    return {name: _digest_of(path) for name, path in files.items()}


def _digest_of(path: Path) -> str:
    return digest_bytes(path.read_bytes())


def _shared_hash() -> str:
    """Hash the modules that build scripts and verifiers of the built-in suites share."""
    found = [path for depth in ("*.py", "*/*.py", "*/*/*.py") for path in SUITES.glob(depth)]
    named = {path.relative_to(SUITES).as_posix(): path for path in found}
    return digest(_digests(named))


def _files(folder: Path) -> dict[str, Path]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {
        path.relative_to(folder).as_posix(): path
        for path in paths
        if "__pycache__" not in path.parts
    }
