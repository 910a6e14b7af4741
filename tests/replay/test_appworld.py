"""A run in AppWorld is rebuilt and forked into the state that it was in."""

from pathlib import Path
from typing import Any

import anyio
import pytest

from controlscope.operations import Keep, PatchArguments, Replace
from controlscope.run_log import Run, read_run
from controlscope.schedules import Never
from controlscope.tasks import Block, Reply, SourceProgram
from panels.launch import execute
from panels.plans import RunPlan
from panels.recorded import find_recorded
from panels.suite import find_task
from replay.branch import Branch, Method
from replay.grow import KeyAudit, audit_keys
from tests.replay.records import all_branched, ending, keys, replayed

PROGRAM = """\
me = apis.supervisor.show_profile()
accounts = {a['account_name']: a['password'] for a in apis.supervisor.show_account_passwords()}
login = apis.simple_note.login(username=me['email'], password=accounts['simple_note'])
token = login['access_token']
left = iter('abc')
for place in ('Lisbon', 'Oslo'):
    try:
        apis.simple_note.show_note(note_id=9999, access_token=token)
    except Exception as error:
        print(error)
    found = apis.simple_note.search_notes(query=place, access_token=token)
    apis.simple_note.create_note(title=place, content=next(left), access_token=token)
    print([note['title'] for note in found])
apis.simple_note.delete_note(note_id=found[0]['note_id'], access_token=token)
apis.supervisor.complete_task()
"""
AFTER = "print(me['email'], next(left)); apis.spotify.show_account()\n"
CREATES = 5
"""The boundary of the first call that writes."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, mini_world: Path) -> Run:
    folder = tmp_path_factory.mktemp("appworld")
    suite, task = find_task("appworld-mini/packing/packing_1")
    program = SourceProgram("own", (Reply((Block("1", PROGRAM),)),))
    plan = RunPlan(suite, task, program, "keep", "keep", Never(), "keep", "reply")
    anyio.run(execute, plan, folder / "run", folder / "initial")
    return read_run(folder / "run")


def _shown(run: Run) -> list[Any]:
    calls = [
        [call["tool"], call["arguments"], call["observation"], call["digest"]]
        for call in run.of_kind("call_completed")
    ]
    blocks = [[block["error"], block["printed"]] for block in run.of_kind("block_ended")]
    return [calls, blocks, keys(run.folder), ending(run)]


def test_the_program_gets_values_and_declares_the_task_complete(run: Run) -> None:
    (block,) = run.of_kind("block_ended")
    assert block["error"] is None
    assert "Response status code is 409" in block["printed"]
    assert "['Packing for Oslo'" in block["printed"]
    (ended,) = run.of_kind("episode_ended")
    assert ended["ending"] == "completed"
    (scored,) = run.of_kind("scored")
    assert scored["counts"]["failed"] > 0


def test_a_replay_makes_the_same_requests_with_the_same_answers(run: Run) -> None:
    counts = replayed(run.folder)
    assert counts.calls == len(list(run.of_kind("call_completed"))) == 11


def test_state_keys_are_equal_by_fork_by_replay_and_in_the_record(run: Run, tmp_path: Path) -> None:
    async def audits() -> list[KeyAudit]:
        recorded = await find_recorded(run.folder, tmp_path / "built")
        return await audit_keys(recorded, [0, 3, CREATES, CREATES + 1, 9], tmp_path / "trunk")

    found = anyio.run(audits)
    assert [audit.equal for audit in found] == [True] * 5
    assert len({audit.recorded for audit in found}) == 5


def test_sibling_forks_go_on_alone_and_as_replays_do(run: Run, tmp_path: Path) -> None:
    branches = [
        Branch(CREATES, Keep()),
        Branch(CREATES, PatchArguments({"title": "Patched"})),
        Branch(CREATES, Replace(AFTER)),
        Branch(9, Keep()),
    ]
    methods: tuple[Method, Method] = ("fork", "replay")
    forked, again = (
        all_branched(
            run.folder,
            {tmp_path / f"{method}-{n}": branch for n, branch in enumerate(branches)},
            method,
        )
        for method in methods
    )
    assert [_shown(one) for one in forked] == [_shown(one) for one in again]
    assert ending(forked[0]) == ending(forked[3]) == ending(run)
    assert len({str(_shown(one)) for one in forked[:3]}) == 3
    (patched,) = forked[1].of_kind("episode_ended")
    assert "Patched" in str(forked[1].whole(patched)["files"]["simple_note"])
