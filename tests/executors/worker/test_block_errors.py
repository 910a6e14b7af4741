import anyio
import pytest

from executors.worker.client import WorkerLimits
from tests.executors.worker.programs import a_worker, ended, paused, printed_by, run, text

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("back_end")]


@pytest.mark.parametrize(
    ("code", "kind", "told"),
    [
        ("x = (1,", "syntax_error", "line 1: '(' was never closed"),
        ("x = 1\x00", "syntax_error", "null bytes"),
        ("x = '\udcff'", "syntax_error", "cannot be parsed"),
        ("return 1", "syntax_error", "'return' outside function"),
        ("x = 1\nimport socket", "blocked_import", "line 2: import of socket is not allowed"),
        ("open('a')", "blocked_name", "line 1: open is not available"),
        ("print(().__class__.__subclasses__)", "blocked_attribute", "line 1: __subclasses__"),
        ("import socket." + "é" * 20_000, "blocked_import", "line 1: import of socket.é"),
        ("f(" + "é" * 9000 + "=1, " + "é" * 9000 + "=2)", "syntax_error", "éé"),
        ("fs = 1", "proxy_rebound", "line 1: fs is the name"),
        ("x = 1\n\n1 / 0", "user_exception", "line 3, in <module>\n    1 / 0\nZeroDivisionError"),
        ("import sys\nsys.exit(0)", "system_exit", "SystemExit: 0"),
        ("raise SystemExit", "system_exit", "SystemExit"),
        ("x = [0] * (1 << 40)", "memory_error", "MemoryError"),
        ("fs.read('a')", "bad_arguments", "fs.read takes keyword arguments only"),
        ("fs.read(path=(1, 2))", "bad_arguments", "argument path: a tuple has no JSON form"),
        ("fs.read(path={1})", "bad_arguments", "argument path: a set has no JSON form"),
        ("fs.read(path=float('nan'))", "bad_arguments", "NaN"),
        ("fs.read(path={1: 2})", "bad_arguments", "key is a int"),
        ("fs.read(path=10**5000)", "bad_arguments", "4096 bits"),
        ("x = []; x.append(x); fs.read(path=x)", "bad_arguments", "holds itself"),
        ("class S(str): pass\nfs.read(path=S('a'))", "bad_arguments", "a S has no JSON form"),
        ("import asyncio\nasyncio.run(asyncio.wait_for(asyncio.sleep(9), 0.01))", "user_exception",
         "TimeoutError"),
        ("import logging.handlers as h\nh.threading.Thread(target=print).start()",
         "concurrency_error", "threads are not available"),
        ("import os\ngetattr(os, 'fo' 'rk')()", "concurrency_error", "processes are not available"),
        ("import os\ngetattr(os, 'po' 'pen')('ls')", "concurrency_error", "processes are not"),
        ("fs.gone = 1", "proxy_rebound", "attributes of fs cannot be set"),
        ("setattr(fs, 'read', print)", "user_exception", "the tools of fs cannot be changed"),
        ("setattr(type(fs), 'read', print)\nraise ToolError('mine')", "tool_error", "mine"),
        ("raise KeyboardInterrupt", "user_exception", "KeyboardInterrupt"),
    ],
)  # fmt: skip
async def test_a_block_that_fails_is_told_by_kind_and_its_worker_lives(
    code: str, kind: str, told: str
) -> None:
    async with a_worker() as worker:
        await worker.run("kept = 'here'")
        end = ended(await worker.run(code))
        assert end.error == kind, end
        assert told in end.traceback
        assert await printed_by(worker, "print(kept)") == "here\n"


async def test_a_soft_time_out_passes_a_broad_except_and_keeps_the_variables() -> None:
    async with a_worker(WorkerLimits(block_seconds=0.3)) as worker:
        code = """
            rounds = 0
            while True:
                try:
                    rounds += 1
                except Exception:
                    pass
            """
        end = ended(await run(worker, code))
        assert end.error == "timeout_soft"
        assert await printed_by(worker, "print(rounds > 0)") == "True\n"


async def test_a_swallowed_time_out_is_a_time_out_still() -> None:
    async with a_worker(WorkerLimits(block_seconds=0.2)) as worker:
        code = """
            import time
            try:
                time.sleep(10)
            except BaseException:
                print("swallowed")
            """
        end = ended(await run(worker, code))
        assert (end.error, end.printed) == ("timeout_soft", "swallowed\n")


async def test_time_at_a_pause_does_not_count() -> None:
    async with a_worker(WorkerLimits(block_seconds=0.4)) as worker:
        code = "import time\ntime.sleep(0.1)\nfs.read(path='a')\ntime.sleep(0.1)\nprint('done')"
        paused(await worker.run(code))
        await anyio.sleep(1.5)
        end = ended(await worker.resume(text("ok")))
        assert (end.error, end.printed) == (None, "done\n")


async def test_the_seconds_are_for_the_whole_block_and_not_for_each_stretch() -> None:
    async with a_worker(WorkerLimits(block_seconds=0.4)) as worker:
        event = await worker.run("import time\nwhile fs.read(path='a'):\n    time.sleep(0.05)")
        stretches = 0
        while not hasattr(event, "error"):
            stretches += 1
            event = await worker.resume(text("more"))
        assert ended(event).error == "timeout_soft"
        assert 2 < stretches < 12


async def test_a_traceback_shows_the_programs_lines_of_every_block_and_no_others() -> None:
    async with a_worker() as worker:
        await worker.run("import json\ndef parse(text):\n    return json.loads(text)")
        end = ended(await worker.run("try:\n    parse('{')\nexcept ValueError as e:\n    None.x"))
        assert end.traceback == (
            "Traceback (most recent call last):\n"
            '  File "<block>", line 2, in <module>\n'
            "    parse('{')\n"
            '  File "<block>", line 3, in parse\n'
            "    return json.loads(text)\n"
            "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes:"
            " line 1 column 2 (char 1)\n"
            "\n"
            "During handling of the above exception, another exception occurred:\n"
            "\n"
            "Traceback (most recent call last):\n"
            '  File "<block>", line 4, in <module>\n'
            "    None.x\n"
            "AttributeError: 'NoneType' object has no attribute 'x'"
        )


@pytest.mark.parametrize(
    "body",
    [
        "def __str__(self): raise ValueError",
        "def __str__(self): raise SystemExit",
        "def __str__(self): return fs.read(path='a')",
        "__class__ = property(lambda self: 1 / 0)",
        "def __str__(self): return 'x' * 10**6",
        "def __str__(self):\n        while True: pass",
    ],
)
async def test_a_hostile_exception_is_told_all_the_same(body: str) -> None:
    async with a_worker(WorkerLimits(block_seconds=1.0)) as worker:
        end = ended(await worker.run(f"class Mine(Exception):\n    {body}\nraise Mine('text')"))
        assert end.error in ("user_exception", "timeout_soft")
        assert "Mine" in end.traceback
        assert len(end.traceback.encode()) <= 8192


async def test_a_traceback_of_endless_recursion_is_short() -> None:
    async with a_worker() as worker:
        end = ended(await worker.run("def down(): down()\ndown()"))
        assert "RecursionError: maximum recursion depth exceeded" in end.traceback
        assert "more calls]" in end.traceback
        assert len(end.traceback) < 3000


async def test_a_refused_block_has_run_in_no_part() -> None:
    async with a_worker() as worker:
        end = ended(await worker.run("x = 1\nprint('ran')\nimport subprocess\nimport socket"))
        assert end.printed == ""
        assert end.traceback.splitlines() == [
            "line 3: import of subprocess is not allowed: no processes or threads",
            "line 4: import of socket is not allowed: no network",
        ]
        assert await printed_by(worker, "print('x' in globals())") == "False\n"


async def test_a_block_of_twenty_megabytes_runs_and_one_too_large_to_send_is_refused() -> None:
    async with a_worker() as worker:
        end = ended(await worker.run("x = '" + "a" * (20 << 20) + "'\nprint(len(x) >> 20)"))
        assert (end.error, end.printed) == (None, "20\n")
        huge = ended(await worker.run("x = '" + "a" * (33 << 20) + "'"))
        assert huge.error == "syntax_error"
        assert "too large" in huge.traceback
        assert await printed_by(worker, "print('alive')") == "alive\n"


async def test_an_answer_too_large_for_the_program_is_a_memory_error() -> None:
    async with a_worker() as worker:
        paused(await worker.run("x = fs.read(path='a')"))
        end = ended(await worker.resume(text("a" * (33 << 20))))
        assert end.error == "memory_error"


async def test_an_answer_of_four_megabytes_arrives_whole() -> None:
    async with a_worker() as worker:
        paused(await worker.run("x = fs.read(path='a')\nprint(len(x), set(x))"))
        end = ended(await worker.resume(text("é" * (4 << 20))))
        assert end.printed == "4194304 {'é'}\n"
