"""Put one run together: its environment, sandbox, planner and reviewer, and where it is written."""

from functools import partial
from pathlib import Path

from controlscope.episode import Episode, Outcome
from controlscope.roles import Policy
from controlscope.run_folder import new_run
from controlscope.run_log import RunLog
from executors.mcp.environment import open_environment
from executors.mcp.server import server_spec
from executors.mcp.workspace import prepare
from executors.worker.client import open_sandbox
from panels import scripts
from panels.models import cast
from panels.plans import RunPlan
from reviewers.limits import NO_LIMITS, Purse

__all__ = ["execute"]


async def execute(
    plan: RunPlan,
    out: Path,
    initial: Path,
    requests: Path | None = None,
    purse: Purse = NO_LIMITS,
) -> Outcome:
    """Run it into the folder `out`, which appears only when the run is whole.

    `initial` is the built environment, which stays as it is. `requests` is the request cache of the
    panel, for its models, and `purse` what the panel may spend on them. Until then the run is
    `out.partial`, which an earlier attempt may have left and which starts again.
    """
    with new_run(out, plan.header()) as (log, workspace):
        prepare(initial, workspace)
        return await _episode(plan, log, initial, workspace, requests, purse)


async def _episode(
    plan: RunPlan,
    log: RunLog,
    initial: Path,
    workspace: Path,
    requests: Path | None,
    purse: Purse,
) -> Outcome:
    judge = partial(scripts.score, plan.task, initial=initial)
    async with (
        open_environment(server_spec(plan.suite.server), workspace, judge) as environment,
        open_sandbox(plan.suite.proxy, environment.tools) as sandbox,
        cast(plan, environment.tools, log, requests, purse) as (planner, reviewer),
    ):
        episode = Episode(
            task=plan.task,
            proxy=plan.suite.proxy,
            environment=environment,
            sandbox=sandbox,
            planner=planner,
            policy=Policy(plan.scope, plan.schedule, reviewer),
            replace=plan.replace,
            log=log,
        )
        return await episode.run()
