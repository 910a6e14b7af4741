"""A parked state forks into what a replay of it would be, and goes on as the replay would."""

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest

from controlscope.canonical import JsonObject
from controlscope.errors import InputError
from controlscope.operations import Keep, Operation, PatchArguments, Replace
from controlscope.run_log import Run
from panels.recorded import find_recorded
from replay.branch import Branch
from replay.fork import Trunk, open_trunk
from replay.grow import audit_keys
from replay.recorded import Recorded
from tests.panels.test_other_server import SUITE, TOML
from tests.play import DONE, READ_A, READ_B, play, play_task
from tests.processes import nothing_left_running
from tests.replay.records import READS_AND_WRITES, all_branched, branched, ending, keys

T = TypeVar("T")
MANY = {f"many/{name}.txt": name for name in "abcdefghijklmnopqrstuvwxyz"}
BUSY = """\
import random
hidden = iter('abc')
fs.create_directory(path='/workspace/new')
for name in fs.list_directory(path='/workspace/many').splitlines():
    text = fs.read_text_file(path='/workspace/many/' + name[7:])
    if text in 'aeiou':
        fs.write_file(path='/workspace/many/' + text * 3, content=next(hidden, 'z'))
        fs.move_file(source='/workspace/many/' + name[7:], destination='/workspace/new/' + text)
    chance = random.random()
fs.move_file(source='/workspace/new', destination='/workspace/many/vowels')
print(fs.directory_tree(path='/workspace'))
print(fs.get_file_info(path='/workspace/many/vowels/a'))
print(fs.list_directory_with_sizes(path='/workspace/many'), random.random())
"""


def shown(run: Run) -> list[Any]:
    """Return all that a run's program did and saw, apart from raw clocks."""
    calls = [
        [call["tool"], call["arguments"], call.get("shown", call["observation"]), call["digest"]]
        for call in run.of_kind("call_completed")
    ]
    blocks = [[block["error"], block["printed"]] for block in run.of_kind("block_ended")]
    return [calls, blocks, keys(run.folder), ending(run)]


def examined(folder: Path, work: Callable[[Recorded, Path], Awaitable[T]]) -> T:
    scratch = folder.parent / "scratch"

    async def whole() -> T:
        recorded = await find_recorded(folder, scratch / "built")
        return await work(recorded, scratch / "trunk")

    return anyio.run(whole)


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play(tmp_path_factory.mktemp("busy"), [BUSY, READ_A], files={"a.txt": "a", **MANY})[0]


def test_forks_and_replays_of_one_operation_do_and_see_the_same(busy: Run, tmp_path: Path) -> None:
    count = len(keys(busy.folder))
    branches = [
        Branch(0, Keep()),
        Branch(9, Keep()),
        Branch(9, PatchArguments({"path": "/workspace/many/b.txt"})),
        Branch(9, Replace("print(fs.list_directory(path='/workspace/many'), random.random())\n")),
        Branch(count - 3, Keep()),
    ]
    both = [
        all_branched(
            busy.folder,
            {tmp_path / f"{method}-{n}": branch for n, branch in enumerate(branches)},
            method,
        )
        for method in ("fork", "replay")
    ]
    for forked, replayed in zip(*both, strict=True):
        assert shown(forked) == shown(replayed)
    # Siblings under Keep, wherever they part, end as their parent did.
    assert [ending(both[0][n]) for n in (0, 1, 4)] == [ending(busy)] * 3


def test_every_boundary_forks_into_the_recorded_state(busy: Run) -> None:
    count = len(keys(busy.folder))

    async def audited(recorded: Recorded, scratch: Path) -> list[Any]:
        return await audit_keys(recorded, range(count), scratch)

    audits = examined(busy.folder, audited)
    assert [audit.recorded for audit in audits] == keys(busy.folder)
    assert all(audit.equal for audit in audits)
    # The iterator goes on in every copy, but no key speaks of it.
    assert {audit.unexposed for audit in audits} == {1}


def test_a_branch_is_parked_and_branched_again(tmp_path: Path) -> None:
    run, _ = play(tmp_path, [READS_AND_WRITES, READ_A])
    code = READ_B + "x = 5\n" + READ_A + READ_B + DONE

    async def grown(recorded: Recorded, scratch: Path) -> list[Run]:
        async with open_trunk(recorded, scratch) as trunk:
            stem = await trunk.to(3)
            async with stem.grown_to(Branch(3, Replace(code)), 6, tmp_path / "limb") as limb:
                assert limb.parked.boundary.variables.module["x"] == 5
                operations: list[Operation] = [Keep(), Replace("x += 1\n" + READ_B), Keep()]
                twigs = [
                    await limb.grow(Branch(6, operation), tmp_path / f"twig-{n}")
                    for n, operation in enumerate(operations)
                ]
                # The first state is parked still.
                return [*twigs, await stem.grow(Branch(3, Keep()), tmp_path / "kept")]

    kept, replaced, again, parent = examined(run.folder, grown)
    assert ending(parent) == ending(run)
    assert shown(kept) == shown(again)
    assert kept.header["lineage"]["parent"] != run.header["run"]
    assert [event["boundary"] for event in replaced.of_kind("review_decided")] == [3, 6]
    first = branched(run.folder, Branch(3, Replace(code)), tmp_path / "first")
    second = branched(first.folder, Branch(6, Replace("x += 1\n" + READ_B)), tmp_path / "second")
    assert (shown(kept), shown(replaced)) == (shown(first), shown(second))


def test_a_trunk_goes_on_and_never_back(tmp_path: Path) -> None:
    run, _ = play(tmp_path, [READ_A * 4])

    async def walked(recorded: Recorded, scratch: Path) -> None:
        async with open_trunk(recorded, scratch) as trunk:
            for boundary in (1, 1, 3):
                stem = await trunk.to(boundary)
                assert stem.parked.boundary.state_key == keys(run.folder)[boundary]
            await _refused(trunk, 4, "has no boundary 4")
            await _refused(trunk, 2, "lies before the last one")

    with nothing_left_running():
        examined(run.folder, walked)


async def _refused(trunk: Trunk, boundary: int, why: str) -> None:
    with pytest.raises(InputError, match=why):
        await trunk.to(boundary)


def test_where_no_worker_is_copied_each_branch_is_replayed_and_says_so(tmp_path: Path) -> None:
    # What a kernel without this kind of filter amounts to.
    stubborn = (
        "import sys\n"
        "getattr(sys, 'mod' 'ules')['executors.worker.forking'].clone_beside = lambda: -1\n"
    )
    run, _ = play(tmp_path, [stubborn + READ_A * 3])
    wanted = {tmp_path / "one": Branch(1, Keep()), tmp_path / "two": Branch(2, Keep())}
    for branch in all_branched(run.folder, wanted, "fork"):
        (refused,) = branch.of_kind("fork_refused")
        assert refused["detail"] == "this kernel does not let a worker be copied"
        assert branch.header["lineage"]["method"] == "replay"
        assert ending(branch) == ending(run)


def test_a_server_with_a_memory_of_its_own_is_started_anew_for_each_branch(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    shutil.copytree(SUITE, folder)
    (folder / "suite.toml").write_text(TOML)
    run, row = play_task(tmp_path / "played", f"{folder}/rooms/seats")
    assert row["success"]
    last = len(keys(run.folder)) - 1
    code = "mem.create_entities(entities=[dict(name='x', entityType='y', observations=[])])\n"
    wanted = {
        tmp_path / "one": Branch(last, Replace(code + "print(mem.read_graph())\n")),
        tmp_path / "two": Branch(last, Keep()),
    }
    forked, kept = all_branched(run.folder, wanted, "fork")
    assert ending(kept) == ending(run)
    operation: JsonObject = forked.header["lineage"]["intervention"]
    again = branched(run.folder, Branch(last, Replace(operation["code"])), tmp_path / "again")
    assert shown(forked) == shown(again)
