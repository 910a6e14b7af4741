"""Random boundaries of the offline suites, replayed and forked: always the recorded state."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import anyio
import pytest

from controlscope.operations import Keep
from controlscope.run_log import Run
from panels.recorded import find_recorded
from panels.suite import SUITES, load_suite
from replay.branch import Branch
from replay.fork import open_trunk
from replay.grow import KeyAudit, audit_keys
from tests.play import play_task
from tests.replay.records import ending, keys

SUITE = load_suite(SUITES / "filesystem")
PROGRAMS = [(task.id, name) for task in SUITE.tasks.values() for name in task.programs]
FEW, FEW_BOUNDARIES = 4, 5
MANY_BOUNDARIES = 1000


def _played(folder: Path, task: str, program: str) -> Run:
    chosen = SUITE.tasks[task].programs[program]
    return play_task(folder, f"filesystem/{task}", chosen)[0]


def _examined(run: Run, boundaries: list[int], scratch: Path) -> list[KeyAudit]:
    """Replay and fork at some boundaries, and let a fork of the last one run to its end."""

    async def whole() -> list[KeyAudit]:
        recorded = await find_recorded(run.folder, scratch / "built")
        audits = await audit_keys(recorded, boundaries, scratch / "audited")
        async with open_trunk(recorded, scratch / "grown") as trunk:
            last = Branch(max(boundaries), Keep())
            kept = await (await trunk.to(last.boundary)).grow(last, scratch / "kept")
        assert ending(kept) == ending(run)
        return audits

    return anyio.run(whole)


@pytest.mark.parametrize(("task", "program"), Random("a few").sample(PROGRAMS, FEW))
def test_a_few_random_boundaries_are_the_recorded_states(
    task: str, program: str, tmp_path: Path
) -> None:
    run = _played(tmp_path / "played", task, program)
    count = len(keys(run.folder))
    boundaries = Random(f"{task} {program}").sample(range(count), min(FEW_BOUNDARIES, count))
    audits = _examined(run, boundaries, tmp_path / "scratch")
    assert len(audits) == len(boundaries)
    assert [audit for audit in audits if not audit.equal] == []


@pytest.mark.long
def test_a_thousand_random_boundaries_are_the_recorded_states(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    chance = Random("a thousand")
    runs = {
        (task, program): _played(tmp_path / f"{number}", task, program)
        for number, (task, program) in enumerate(PROGRAMS)
    }
    all_boundaries = [
        (place, boundary)
        for place, run in runs.items()
        for boundary in range(len(keys(run.folder)))
    ]
    chosen = chance.sample(all_boundaries, MANY_BOUNDARIES)
    audits = []
    for number, (place, run) in enumerate(runs.items()):
        boundaries = [boundary for where, boundary in chosen if where == place]
        if boundaries:
            audits += _examined(run, boundaries, tmp_path / f"scratch-{number}")
    assert len(audits) == MANY_BOUNDARIES
    assert [audit for audit in audits if not audit.equal] == []
    record_property("unexposed", sum(audit.unexposed for audit in audits))
