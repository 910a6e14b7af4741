"""Put one run together: its environment, sandbox, planner and reviewer, and where it is written."""

from pathlib import Path

from controlscope.episode import Episode, Outcome
from controlscope.roles import Policy
from controlscope.run_folder import new_run
from panels.models import cast
from panels.origins import origin_of
from panels.plans import RunPlan
from panels.siting import Sited
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
    assert not isinstance(plan.schedule, Sited), "a rule is sited before its run"
    origin = origin_of(plan.suite, plan.task, initial, plan.worker)
    with new_run(out, plan.header()) as (log, workspace):
        async with (
            origin.opened(workspace) as place,
            cast(plan, place.environment.tools, log, requests, purse) as (planner, reviewer),
        ):
            episode = Episode(
                task=plan.task,
                proxy=plan.suite.proxy,
                environment=place.environment,
                sandbox=place.sandbox,
                planner=planner,
                policy=Policy(plan.scope, plan.schedule, reviewer, fallback=plan.fallback),
                replace=plan.replace,
                log=log,
            )
            return await episode.run()
