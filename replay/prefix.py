"""Prefix replay: run a recorded program again with its recorded decisions, and hold them together.

Paper, section 3.3: calls, arguments, observations and terminal files must be those of the record.
"""

from pathlib import Path

from controlscope.errors import InputError
from controlscope.trajectory import Parked
from replay.compare import Counts
from replay.recorded import Recorded, boundaries_of, recorded_episode

__all__ = ["replay_prefix"]


async def replay_prefix(recorded: Recorded, boundary: int | None, scratch: Path) -> Counts:
    """Rebuild a run up to a boundary, that included, or to its end; say what was compared.

    `scratch` is an empty folder, best on the file system of the recorded run: in which order a
    folder lists is its file system's. InputError where the record does not go so far,
    InfrastructureError (replay_divergence) at the first difference.
    """
    boundaries_of(recorded.run, boundary)
    if boundary is None and not any(event["kind"] == "scored" for event in recorded.run.events):
        raise InputError(f"{recorded.run.folder} has no end: name a boundary of it")
    comparison = recorded.compared(boundary)
    async with recorded.origin.opened(scratch / "workspace") as place:
        episode = recorded_episode(recorded, place, comparison)
        stop = recorded.alone_from if boundary is None else boundary
        if stop is None:
            await episode.run()
        else:
            match await episode.run_to(stop):
                case worker, Parked() as parked if boundary is None:
                    await episode.go_on(parked, worker, alone=True)
                case _, Parked() as parked:
                    comparison.event("boundary", **parked.boundary.as_json())
    return comparison.counts
