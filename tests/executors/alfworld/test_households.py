"""Runs in households on the engine: what is seen, when it is over, equal states of branches."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from controlscope.errors import InfrastructureError
from controlscope.roles import Paused, Place
from controlscope.tasks import Suite, Task
from executors import confinement
from executors.alfworld import place as households
from executors.alfworld.place import ACT, AlfworldEnvironment, AlfworldOrigin
from executors.worker.boxes.choosing import MAKERS, chosen
from panels.programs import load_program
from panels.recorded import find_recorded
from replay.grow import KeyAudit, audit_keys
from replay.prefix import replay_prefix
from tests.households import acting, game_of, our_games, plan_of
from tests.play import play_task
from tests.processes import descendants

pytestmark = pytest.mark.anyio


@pytest.fixture
def suite() -> Suite:
    return our_games()


@pytest.fixture
def task(suite: Suite) -> Task:
    return game_of(suite, "pick_heat_then_place_in_recep")


@asynccontextmanager
async def opened(task: Task) -> AsyncIterator[Place]:
    origin = AlfworldOrigin(task.environment, task.instruction, chosen("auto"))
    async with origin.opened(Path("unused")) as place:
        yield place


def environment_of(place: Place) -> AlfworldEnvironment:
    assert isinstance(place.environment, AlfworldEnvironment)
    return place.environment


async def said(place: Place, command: str) -> str:
    observation = await place.environment.call(ACT, {"command": command})
    assert not observation.is_error
    return observation.text


async def test_an_action_shows_what_is_observed_and_what_is_admissible_now(task: Task) -> None:
    first = plan_of(task)[0]
    async with opened(task) as place:
        before = await place.environment.digest()
        seen = await said(place, f"  {first.upper()} ")
        assert seen.startswith("You arrive at")
        *_, last = seen.splitlines()
        admissible = last.removeprefix("Admissible: ").split("; ")
        assert plan_of(task)[1] in admissible
        assert admissible == sorted(admissible)
        assert await place.environment.digest() != before
        assert (await said(place, "fly to the moon")).startswith("Nothing happens.")


async def test_states_that_look_alike_and_differ_out_of_sight_have_digests_of_their_own(
    task: Task,
) -> None:
    seen, digests = set(), set()
    for opened_before in ([], ["open microwave 1"]):
        async with opened(task) as place:
            for command in ["go to microwave 1", *opened_before]:
                await said(place, command)
            seen.add(await said(place, "go to fridge 1"))
            digests.add(await place.environment.digest())
    assert (len(seen), len(digests)) == (1, 2)


async def test_an_action_that_is_no_text_is_refused_and_none_is_taken(task: Task) -> None:
    async with opened(task) as place:
        before = await place.environment.digest()
        for arguments in ({}, {"command": 5}, {"command": "look", "twice": True}):
            assert (await place.environment.call(ACT, arguments)).is_error
        assert await place.environment.digest() == before


async def test_a_game_is_over_with_the_action_that_meets_its_goal_and_not_before(
    task: Task,
) -> None:
    async with opened(task) as place:
        for command in plan_of(task):
            assert place.environment.over is None
            assert not (await place.environment.score()).success
            await said(place, command)
        assert place.environment.over == "now"
        assert (await place.environment.score()).success


def test_a_program_that_goes_on_after_the_goal_makes_no_further_call(
    suite: Suite, task: Task, tmp_path: Path
) -> None:
    (tmp_path / "program").mkdir()
    code = f"try:\n    {acting([*plan_of(task), 'look']).replace(chr(10), chr(10) + '    ')}\n"
    (tmp_path / "program" / "01.py").write_text(code + "except BaseException:\n    act('look')\n")
    program = load_program(tmp_path / "program", "test")
    run, row = play_task(tmp_path, f"{suite.folder}/{task.id}", program)
    assert row["success"] is True
    assert row["ending"] == "completed"
    assert row["calls"] == len(plan_of(task))
    assert next(iter(run.of_kind("scored")))["message"] == "the goal holds"


def test_states_are_equal_by_fork_by_replay_and_in_the_record(
    suite: Suite, task: Task, tmp_path: Path
) -> None:
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "01.py").write_text(acting(plan_of(task)))
    program = load_program(tmp_path / "program", "test")
    run, _ = play_task(tmp_path, f"{suite.folder}/{task.id}", program)
    count = len(plan_of(task))

    async def audited() -> list[KeyAudit]:
        recorded = await find_recorded(run.folder, tmp_path / "built")
        await replay_prefix(recorded, count - 1, tmp_path / "replayed")
        return await audit_keys(recorded, range(count), tmp_path / "grown")

    audits = anyio.run(audited)
    assert len({audit.recorded for audit in audits}) == count
    assert all(audit.equal for audit in audits)


async def test_a_copy_goes_its_own_way_and_may_be_copied_again(task: Task) -> None:
    first, second, *_ = plan_of(task)
    async with opened(task) as place:
        worker = await place.sandbox.worker()
        paused = await worker.run(acting([first, second]))
        assert isinstance(paused, Paused)
        async with place.copied(worker) as copy:
            assert copy.paused == paused
            await said(copy.place, first)
            moved = await copy.place.environment.digest()
            async with copy.place.copied(copy.worker) as again:
                assert await again.place.environment.digest() == moved
                there = await said(again.place, second)
        assert await place.environment.digest() != moved
        await said(place, first)
        assert await place.environment.digest() == moved
        assert await said(place, second) == there


async def test_the_engine_plays_the_same_by_landlock_alone(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = MAKERS["landlock"].probe()
    if problem is not None:
        pytest.skip(f"landlock does not work here: {problem}")
    async with opened(task) as place:
        expected = [await said(place, command) for command in plan_of(task)[:2]]
        digest = await place.environment.digest()
    while households._idle:
        households._idle.pop().close()
    monkeypatch.setattr(confinement, "means", lambda: "landlock")
    async with opened(task) as place:
        assert [await said(place, command) for command in plan_of(task)[:2]] == expected
        assert await place.environment.digest() == digest
    while households._idle:
        households._idle.pop().close()


async def test_a_process_serves_game_after_game_and_is_replaced_in_time(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(households, "_RECYCLED_AFTER", 2)
    engines = []
    for _ in range(4):
        async with opened(task) as place:
            engines.append(environment_of(place).engine)
    assert len(set(engines)) in (2, 3)
    assert engines[-1].games <= 2
    assert engines[-2] is engines[-1] or engines[-2] is engines[-3]


async def test_a_run_that_fails_ends_its_engine(task: Task) -> None:
    engines = []

    async def failing() -> None:
        async with opened(task) as place:
            engines.append(environment_of(place).engine)
            raise InfrastructureError("sandbox_lost", "in a test")

    with pytest.raises(InfrastructureError, match="sandbox_lost"):
        await failing()
    (engine,) = engines
    with pytest.raises(InfrastructureError, match="environment_lost"):
        await engine.step("look")
    assert engine not in households._idle


async def test_an_engine_that_dies_voids_the_run_and_is_no_failure_of_its_policy(
    task: Task,
) -> None:
    while households._idle:
        households._idle.pop().close()
    before = set(descendants())

    async def killing() -> None:
        async with opened(task) as place:
            for pid in set(descendants()) - before:
                # What surrounds the engine takes it along.
                with suppress(FileNotFoundError, ProcessLookupError):
                    if b"host.py" in Path(f"/proc/{pid}/cmdline").read_bytes():
                        os.kill(pid, signal.SIGKILL)
            await said(place, "look")

    with pytest.raises(InfrastructureError, match="environment_lost: the engine: "):
        await killing()


async def test_a_game_that_opens_otherwise_than_its_task_was_told_is_refused(task: Task) -> None:
    other = replace(task, instruction="Your task is to: dance.")
    with pytest.raises(InfrastructureError, match=r"environment_lost: the engine opens .* another"):
        async with opened(other):
            pass


@pytest.mark.long
async def test_memory_stays_flat_over_four_hundred_episodes(suite: Suite) -> None:
    tasks = sorted(suite.tasks.values(), key=lambda task: task.environment.stat().st_size)[:4]
    held = []
    for number in range(400):
        async with opened(tasks[number % len(tasks)]) as place:
            await said(place, "look")
            held.append(sum(_resident(pid) for pid in [os.getpid(), *descendants()]))
    # A process of the engine grows by each game until another takes its place.
    assert max(held[200:]) <= 1.1 * max(held[:200])


def _resident(pid: int) -> int:
    """Return how many pages a process holds; none where it has just ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0
