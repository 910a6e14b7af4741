"""Forks: a state is parked, with its worker and its environment, and branches grow from it.

The copied worker tells its pause itself and the copied environment is read anew, so that a branch's
state key is that of what it really has.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from controlscope.boundaries import Boundary
from controlscope.canonical import JsonObject
from controlscope.episode import Episode
from controlscope.errors import InfrastructureError, InputError
from controlscope.roles import EventLog, Place, Worker
from controlscope.run_folder import new_run
from controlscope.run_log import Run, RunLog, read_run
from controlscope.trajectory import Parked
from replay.branch import Branch, branch_episode, branch_header
from replay.compare import Comparison, first_difference
from replay.recorded import Recorded, boundaries_of, recorded_episode

__all__ = ["Copy", "Stem", "Trunk", "open_trunk"]


@dataclass(frozen=True)
class Copy:
    """A copy of a parked state, for one branch alone."""

    place: Place
    worker: Worker
    parked: Parked

    @property
    def boundary(self) -> Boundary:
        """The boundary as the copy shows it."""
        return self.parked.boundary


class Stem:
    """A run that is parked at a boundary; nothing moves it while branches grow from it.

    `header` is its run's, `log` the folder of what happened before the boundary.
    """

    def __init__(
        self,
        recorded: Recorded,
        header: JsonObject,
        log: Path,
        place: Place,
        waiting: tuple[Worker, Parked],
    ) -> None:
        self._recorded = recorded
        self._header = header
        self._log = log
        self._place = place
        self.worker, self.parked = waiting

    async def grow(self, branch: Branch, out: Path) -> Run:
        """Run a branch of this state to its ending, into the new folder `out`.

        InfrastructureError (replay_divergence) where the branch's state is not this one.
        """
        with new_run(out, self._branch_header(branch), self._log) as (log, _):
            async with self.copied() as copy, self._episode(branch, log, copy) as episode:
                await episode.go_on(copy.parked, copy.worker, alone=branch.alone)
        return read_run(out)

    @asynccontextmanager
    async def grown_to(self, branch: Branch, boundary: int, folder: Path) -> AsyncIterator["Stem"]:
        """Run a branch of this state as far as a later boundary, and park it there in its turn.

        Its log is the new folder `folder`. InputError where the branch ends before.
        """
        header = self._branch_header(branch)
        with RunLog(folder, header, self._log) as log:
            async with self.copied() as copy, self._episode(branch, log, copy) as episode:
                match await episode.run_to(boundary, (copy.worker, copy.parked)):
                    case worker, Parked() as parked:
                        yield Stem(self._recorded, header, folder, copy.place, (worker, parked))
                    case _:
                        raise InputError(f"the branch ends before boundary {boundary}")

    @asynccontextmanager
    async def copied(self) -> AsyncIterator[Copy]:
        """Copy this state for one branch; it is gone on leaving."""
        async with self._place.copied(self.worker) as copied:
            environment, recorded = copied.place.environment, self._recorded
            so_far = self.parked.so_far.copy()
            so_far.digest = await environment.digest()
            boundary = so_far.boundary(copied.paused, recorded.task, recorded.proxy, environment)
            yield Copy(copied.place, copied.worker, Parked(so_far, copied.paused, boundary))

    def _branch_header(self, branch: Branch) -> JsonObject:
        return branch_header(self._header, self.parked.boundary.state_key, branch, "fork")

    @asynccontextmanager
    async def _episode(self, branch: Branch, log: EventLog, copy: Copy) -> AsyncIterator[Episode]:
        expected, got = self.parked.boundary.as_json(), copy.boundary.as_json()
        difference = first_difference(expected, got, "boundary")
        if difference is not None:
            calls = self.parked.so_far.ledgers.calls
            detail = f"at call {calls}: the fork: expected {difference}"
            raise InfrastructureError("replay_divergence", detail)
        async with branch_episode(self._recorded, branch, log, copy.place) as episode:
            yield episode


@asynccontextmanager
async def open_trunk(recorded: Recorded, scratch: Path) -> AsyncIterator["Trunk"]:
    """Replay a record in the empty folder `scratch`, to be parked at one boundary after another.

    Enter and leave in one task, of the main thread; on leaving nothing is left running.
    """
    folder = scratch / "log"
    with RunLog(folder, recorded.run.header) as log:
        async with recorded.origin.opened(scratch / "workspace") as place:
            yield Trunk(recorded, recorded.compared(None, log), folder, place)


class Trunk:
    """A recorded run that is replayed as far as it is asked for, all of it held to the record."""

    def __init__(
        self, recorded: Recorded, comparison: Comparison, folder: Path, place: Place
    ) -> None:
        self._recorded = recorded
        self._comparison = comparison
        self._folder = folder
        self._place = place
        self._waiting: tuple[Worker, Parked] | None = None

    async def to(self, boundary: int) -> Stem:
        """Go on to a boundary, which lies no earlier than the last one, and park there.

        InfrastructureError (replay_divergence) at the first difference to the record.
        """
        boundaries_of(self._recorded.run, boundary)
        if self._waiting is None or self._waiting[1].boundary.index != boundary:
            log = self._comparison
            episode = recorded_episode(self._recorded, self._place, log)
            match await episode.run_to(boundary, self._waiting):
                case worker, Parked() as parked:
                    self._waiting = worker, parked
                case _:
                    raise InputError(f"boundary {boundary} lies before the last one")
            log.check("boundary", parked.boundary.as_json())
        header = self._recorded.run.header
        return Stem(self._recorded, header, self._folder, self._place, self._waiting)
