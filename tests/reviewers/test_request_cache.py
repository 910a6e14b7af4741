import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controlscope.canonical import JsonObject, digest
from controlscope.errors import InputError
from reviewers.request_cache import RequestCache
from reviewers.transport import EndpointError
from tests.reviewers.asking import asking, question
from tests.reviewers.model_server import KEY, Exchange, Script, after, fails, says, serving

pytestmark = pytest.mark.anyio

ASKER = """
import asyncio, sys
from pathlib import Path
from tests.reviewers.asking import asking, question
from tests.reviewers.model_server import Script

async def main():
    async with asking(Script([], sys.argv[1]), Path(sys.argv[2]), run=sys.argv[3]) as endpoint:
        response = await endpoint.ask(question(), "")
        print(response.text, response.usage.reused)

asyncio.run(main())
"""
SLOW: JsonObject = {"said": "slow", "served": {}, "tokens": {"input": 1, "output": 1}}
ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def _asker(script: Script, folder: Path, run: str) -> Iterator[subprocess.Popen[str]]:
    """Ask the one question in a process of its own."""
    command = [sys.executable, "-c", ASKER, script.url, str(folder), run]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _rows(folder: Path, table: str) -> int:
    db = sqlite3.connect(folder / "requests.sqlite")
    try:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    finally:
        db.close()


async def test_an_equal_request_is_answered_from_the_cache(tmp_path: Path) -> None:
    with serving(says("first"), says("second")) as script:
        async with asking(script, tmp_path, run="one") as endpoint:
            first = await endpoint.ask(question(), "")
        async with asking(script, tmp_path, run="two") as endpoint:
            again = await endpoint.ask(question(), "")
    assert (first.text, first.usage.reused) == ("first", False)
    assert (again.text, again.usage.reused) == ("first", True)
    assert again.usage.tokens == first.usage.tokens
    assert len(script.requests) == 1


async def test_a_run_that_starts_again_finds_its_own_responses_fresh(tmp_path: Path) -> None:
    with serving(says("first"), says("second")) as script:
        for _ in range(2):
            async with asking(script, tmp_path, run="one") as endpoint:
                response = await endpoint.ask(question(), "")
                assert (response.text, response.usage.reused) == ("first", False)
    assert len(script.requests) == 1


async def test_the_order_of_keys_makes_no_other_request(tmp_path: Path) -> None:
    with serving(says("first"), says("second")) as script:
        async with asking(script, tmp_path) as endpoint:
            await endpoint.ask(question(), "")
            other = dict(reversed(question().items()))
            assert list(other) != list(question())
            assert (await endpoint.ask(other, "")).text == "first"


async def test_draws_are_kept_apart(tmp_path: Path) -> None:
    with serving(says("first"), says("second"), says("third")) as script:
        async with asking(script, tmp_path) as endpoint:
            texts = [
                (await endpoint.ask(question(), draw)).text
                for draw in ("arg/1", "arg/2", "arg/1", "")
            ]
    assert texts == ["first", "second", "first", "third"]


async def test_what_differs_in_one_setting_is_another_request(tmp_path: Path) -> None:
    with serving(says("first"), says("second")) as script:
        async with asking(script, tmp_path) as endpoint:
            await endpoint.ask(question(), "")
            other = await endpoint.ask(question(fast={"temperature": 0.0}), "")
    assert other.text == "second"


async def test_an_answered_request_can_be_read_back(tmp_path: Path) -> None:
    with serving(says("hi")) as script:
        async with asking(script, tmp_path) as endpoint:
            served = (await endpoint.ask(question("\ud800"), "")).usage.served
            assert endpoint.cache.request(served["request"]) == question("\ud800")
            with pytest.raises(InputError, match="no request"):
                endpoint.cache.request("0" * 64)


async def test_tasks_that_ask_the_same_at_once_send_it_once(tmp_path: Path) -> None:
    with serving(after(0.2, says("first")), says("second")) as script:
        async with asking(script, tmp_path) as endpoint, asyncio.timeout(10):
            responses = await asyncio.gather(*(endpoint.ask(question(), "") for _ in range(5)))
    assert {response.text for response in responses} == {"first"}
    assert len(script.requests) == 1


async def test_two_processes_that_ask_the_same_at_once_send_it_once(tmp_path: Path) -> None:
    with (
        serving(after(0.5, says("first")), says("second")) as script,
        _asker(script, tmp_path, "one") as one,
        _asker(script, tmp_path, "two") as two,
    ):
        said = sorted([await _output(one), await _output(two)])
    assert said == ["first False\n", "first True\n"]
    assert len(script.requests) == 1


async def _output(process: subprocess.Popen[str]) -> str:
    return (await asyncio.to_thread(process.communicate, None, 20))[0]


async def test_after_a_failure_the_next_asker_sends(tmp_path: Path) -> None:
    with serving(after(0.2, fails(400)), says("second")) as script:
        async with asking(script, tmp_path) as endpoint, asyncio.timeout(10):
            results = await asyncio.gather(
                *(endpoint.ask(question(), "") for _ in range(3)), return_exceptions=True
            )
    failed = [result for result in results if isinstance(result, EndpointError)]
    assert len(failed) == 1
    assert [result.text for result in results if not isinstance(result, BaseException)] == [
        "second",
        "second",
    ]
    assert len(script.requests) == 2


async def test_a_cancelled_asker_leaves_no_claim(tmp_path: Path) -> None:
    with serving(after(0.5, says("late")), says("second")) as script:
        async with asking(script, tmp_path) as endpoint:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await endpoint.ask(question(), "")
            assert _rows(tmp_path, "claims") == 0
            assert (await endpoint.ask(question(), "")).text == "second"


async def test_a_kill_between_request_and_answer_repeats_that_request_alone(
    tmp_path: Path,
) -> None:
    arrived, killed = threading.Event(), threading.Event()

    def held(exchange: Exchange) -> None:
        arrived.set()
        killed.wait(20)
        exchange.close_connection = True

    with serving(held, says("second"), says("third")) as script:
        with _asker(script, tmp_path, "one") as asker:
            assert await asyncio.to_thread(arrived.wait, 20)
            assert _rows(tmp_path, "claims") == 1
            # Not waited for: until then it is a zombie, as when the controller died before it.
            os.kill(asker.pid, signal.SIGKILL)
            await _until_dead(asker.pid)
            killed.set()
            async with asking(script, tmp_path, run="one") as endpoint:
                async with asyncio.timeout(5):
                    assert (await endpoint.ask(question(), "")).text == "second"
        with _asker(script, tmp_path, "one") as asker:
            assert await _output(asker) == "second False\n"
    assert len(script.requests) == 2
    assert _rows(tmp_path, "claims") == 0


async def _until_dead(pid: int) -> None:
    async with asyncio.timeout(10):
        while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
            await asyncio.sleep(0.01)


async def test_a_claim_from_before_a_restart_of_the_machine_is_taken_over(tmp_path: Path) -> None:
    await _taken_over(tmp_path, f"another-boot {os.getpid()} 1", 1e12)


async def test_a_claim_of_a_process_whose_number_was_given_again_is_taken_over(
    tmp_path: Path,
) -> None:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    await _taken_over(tmp_path, f"{boot} {os.getpid()} 1", 1e12)


async def _taken_over(folder: Path, owner: str, since: float) -> None:
    with RequestCache(folder / "requests.sqlite"):
        pass
    db = sqlite3.connect(folder / "requests.sqlite")
    with db:
        db.execute("INSERT INTO claims VALUES (?, '', ?, 0, ?)", (digest(question()), owner, since))
    db.close()
    with serving(says("hi")) as script:
        async with asking(script, folder) as endpoint, asyncio.timeout(5):
            assert (await endpoint.ask(question(), "")).text == "hi"


async def test_a_claim_that_is_older_than_any_request_is_taken_over(tmp_path: Path) -> None:
    own = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    await _taken_over(tmp_path, f"{boot} {os.getpid()} {own}", 0.0)


async def test_a_living_owner_is_waited_for(tmp_path: Path) -> None:
    release = asyncio.Event()

    async def slow() -> JsonObject:
        await release.wait()
        return SLOW

    async def never() -> JsonObject:
        raise AssertionError("sent twice")

    path = tmp_path / "requests.sqlite"
    with RequestCache(path) as one, RequestCache(path) as two:
        first = asyncio.create_task(one.once(question(), "", "one", slow))
        await asyncio.sleep(0.05)
        second = asyncio.create_task(two.once(question(), "", "two", never))
        await asyncio.sleep(0.2)
        assert not second.done()
        release.set()
        assert await first == (SLOW, "one")
        assert await second == (SLOW, "one")


def test_a_new_file_can_be_opened_while_another_process_sets_it_up(tmp_path: Path) -> None:
    path = tmp_path / "requests.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    # What stands in SQLite's way of the write-ahead log is not waited for by SQLite itself.
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE anything (value)")

    finished = threading.Event()

    def finish() -> None:
        finished.set()
        other.execute("COMMIT")
        other.close()

    timer = threading.Timer(0.3, finish)
    timer.start()
    with RequestCache(path):
        assert finished.is_set()
    timer.join()


def test_a_file_that_is_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "requests.sqlite"
    path.write_text("not a database, but long enough to be told from an empty one\n" * 100)
    with pytest.raises(InputError, match="is no request cache"):
        RequestCache(path)


def test_a_cache_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "requests.sqlite"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 7")
    db.close()
    with pytest.raises(InputError, match="version 7 of a request cache is not known"):
        RequestCache(path)


async def test_the_file_holds_no_key(tmp_path: Path) -> None:
    with serving(says(f"your key is {KEY}")) as script:
        async with asking(script, tmp_path) as endpoint:
            response = await endpoint.ask(question(), "")
    assert response.text == "your key is [key]"
    assert all(KEY.encode() not in path.read_bytes() for path in tmp_path.iterdir())
