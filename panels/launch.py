"""Put one run together: its environment, sandbox, planner and reviewer, and where it is written."""

import platform
import tempfile
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

from controlscope.canonical import JsonObject, digest
from controlscope.episode import Episode, Outcome
from controlscope.errors import InputError
from controlscope.operations import ReplaceBoundary, Scope
from controlscope.roles import Policy, Score
from controlscope.run_folder import new_run
from controlscope.run_log import RunLog
from controlscope.schedules import Schedule
from controlscope.tasks import SourceProgram, Suite, Task
from executors.mcp.environment import open_environment
from executors.mcp.server import server_spec
from executors.mcp.workspace import prepare
from executors.worker.client import open_sandbox
from panels import scripts
from panels.suite import address_of
from panels.toml import place
from reviewers.planner import ScriptedPlanner
from reviewers.resolve import resolve_reviewer

__all__ = ["RunPlan", "check_server", "execute"]


@dataclass(frozen=True)
class RunPlan:
    """One run of a panel, or a single one: everything that decides its outcome."""

    suite: Suite
    task: Task
    program: SourceProgram
    condition: str
    scope: Scope
    schedule: Schedule
    reviewer: str
    replace: ReplaceBoundary
    draw: int = 0

    @property
    def id(self) -> str:
        """Name of the run in its panel: a hash of task, program, condition, draw and seeds."""
        return digest(
            [
                self.suite.name,
                self.task.id,
                self.program.name,
                [self.condition, self.scope, str(self.schedule), self.reviewer, self.replace],
                self.draw,
                self.task.seed,
            ]
        )[:16]

    def header(self) -> JsonObject:
        """Return what `run.json` says of the run."""
        return {
            "run": self.id,
            "suite": self.suite.name,
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
                "reviewer": self.reviewer,
                "replace": self.replace,
            },
            "models": None,
            "budgets": asdict(self.task.budget),
            "seeds": {"environment": self.task.seed, "draw": self.draw},
            "back_end": "bubblewrap",
            "versions": {
                "controlscope": version("controlscope"),
                "python": platform.python_version(),
                "mcp": version("mcp"),
            },
            "lineage": None,
        }


async def check_server(suite: Suite, initial: Path) -> None:
    """Ask a suite's server whether it has the tools and parameters that `suite.toml` names.

    It is started on a copy of `initial`, where there is a name to check; InputError names the key.
    """
    server = suite.server
    parameters = server.program_parameters
    if server.tools is None and not parameters:
        return
    everything = replace(server_spec(server), tools=None)
    with tempfile.TemporaryDirectory() as scratch:
        workspace = Path(scratch) / "workspace"
        prepare(initial, workspace)
        async with open_environment(everything, workspace, _unscored) as environment:
            tools = environment.tools
    file = suite.folder / "suite.toml"
    for name in sorted({*(server.tools or ()), *parameters}):
        if name not in tools:
            key = "tools" if name in (server.tools or ()) else "program_parameters"
            raise InputError(
                f"{place(file, 'environment', key)}: the server has no tool {name!r};"
                f" it has {', '.join(sorted(tools))}"
            )
    for name, wanted in sorted(parameters.items()):
        known = tools[name].input_schema.get("properties", {})
        for parameter in sorted(wanted - set(known)):
            raise InputError(
                f"{place(file, 'environment', 'program_parameters', name)}: {name} takes no"
                f" {parameter!r}; it takes {', '.join(known) or 'nothing'}"
            )


async def _unscored(_: Path) -> Score:
    return Score(success=False, message="")


async def execute(plan: RunPlan, out: Path, initial: Path) -> Outcome:
    """Run it into the folder `out`, which appears only when the run is whole.

    `initial` is the built environment, which stays as it is. Until then the run is `out.partial`,
    which an earlier attempt may have left and which starts again.
    """
    with new_run(out, plan.header()) as (log, workspace):
        prepare(initial, workspace)
        return await _episode(plan, log, initial, workspace)


async def _episode(plan: RunPlan, log: RunLog, initial: Path, workspace: Path) -> Outcome:
    judge = partial(scripts.score, plan.task, initial=initial)
    async with (
        open_environment(server_spec(plan.suite.server), workspace, judge) as environment,
        open_sandbox(plan.suite.proxy, environment.tools) as sandbox,
    ):
        episode = Episode(
            task=plan.task,
            proxy=plan.suite.proxy,
            environment=environment,
            sandbox=sandbox,
            planner=ScriptedPlanner(plan.program),
            policy=Policy(plan.scope, plan.schedule, resolve_reviewer(plan.reviewer, plan.replace)),
            replace=plan.replace,
            log=log,
        )
        return await episode.run()
