from textwrap import dedent

import pytest

from controlscope.roles import Worker, WorkerEvent
from executors.worker.client import WorkerLimits
from tests.executors.worker.programs import a_worker, ended, paused, printed_by, run, text

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("back_end")]

HOLDERS = {
    "a try with every kind of handler": """
        try:
            fs.read(path="a")
        except BaseException:
            log.append("except")
        else:
            log.append("else")
        finally:
            log.append("finally")
        """,
    "a with block": """
        class Guard:
            def __enter__(self): return self
            def __exit__(self, *_): log.append("exit"); return True
        with Guard():
            fs.read(path="a")
        """,
    "an exception handler": """
        try:
            1 / 0
        except ZeroDivisionError:
            fs.read(path="a")
            log.append("after")
        """,
    "a nested function": """
        def outer():
            def inner():
                try:
                    return fs.read(path="a")
                finally:
                    log.append("finally")
            return inner()
        outer()
        """,
    "a comprehension": "names = [fs.read(path=p) for p in 'abc']",
    "a generator": """
        def lines():
            try:
                yield fs.read(path="a")
            finally:
                log.append("finally")
        for line in lines():
            log.append("line")
        """,
    "a sort key": "sorted([2, 1], key=lambda n: fs.read(path=str(n)))",
    "asyncio with gather and suppress": """
        import asyncio, contextlib
        async def one():
            with contextlib.suppress(BaseException):
                fs.read(path="a")
            log.append("after")
        async def main():
            await asyncio.gather(one(), one(), return_exceptions=True)
            log.append("gathered")
        asyncio.run(main())
        """,
    "redirected output": """
        import contextlib, io
        with contextlib.redirect_stdout(io.StringIO()):
            fs.read(path="a")
        log.append("after")
        """,
}


@pytest.mark.parametrize("holder", HOLDERS)
async def test_nothing_of_an_abandoned_block_runs_on(holder: str) -> None:
    async with a_worker() as worker:
        await run(worker, "log = []")
        paused(await run(worker, HOLDERS[holder]))
        end = ended(await worker.replace("print('instead', log)"))
        assert (end.printed, end.error) == ("instead []\n", None)
        assert await printed_by(worker, "print(log)") == "[]\n"


async def test_a_replacement_sees_the_variables_and_goes_on_with_the_blocks_output() -> None:
    async with a_worker() as worker:
        paused(await run(worker, "x = 1\nprint('before')\nx = fs.read(path='a')"))
        pause = paused(await worker.replace("x += 1\nprint('then')\nfs.write(path='b', n=x)"))
        assert pause.pending.arguments == {"path": "b", "n": 2}
        assert tuple(pause.pending.position) == (3, 0, 3, 23)
        assert pause.variables.module == {"x": 2}
        assert pause.printed == "before\nthen\n"
        assert ended(await worker.resume(text("ok"))).printed == "before\nthen\n"


async def test_sixty_replacements_in_a_row_work_from_every_kind_of_place() -> None:
    async with a_worker() as worker:
        holders = [HOLDERS[name] for name in sorted(HOLDERS)]
        await run(worker, "log = []")
        paused(await run(worker, holders[0]))
        for turn in range(60):
            paused(await _replace(worker, holders[turn % len(holders)]))
        end = ended(await worker.replace("print(log)"))
        assert (end.printed, end.error) == ("[]\n", None)
        paused(await run(worker, "log = fs.read(path='a')"))
        assert ended(await worker.resume(text("ok"))).error is None


async def _replace(worker: Worker, code: str) -> WorkerEvent:
    return await worker.replace(dedent(code))


async def test_each_replacement_has_the_same_depth_to_recurse_to() -> None:
    async with a_worker() as worker:
        code = """
            def down(n):
                if n == 0:
                    return fs.read(path="a")
                return down(n - 1)
            down(850)
            """
        paused(await run(worker, code))
        for _ in range(30):
            paused(await _replace(worker, code))
        deeper = "def down(n):\n    return n and down(n - 1)\nprint(down({}))"
        assert ended(await worker.replace(deeper.format(900))).printed == "0\n"
        end = ended(await worker.run(deeper.format(1100)))
        assert end.error == "user_exception"
        assert "RecursionError" in end.traceback


async def test_a_pause_too_deep_to_be_told_is_a_recursion_error_of_the_program() -> None:
    async with a_worker() as worker:
        code = """
            def down():
                try:
                    down()
                except RecursionError:
                    fs.read(path="a")
            down()
            """
        pause = paused(await run(worker, code))
        assert pause.pending.arguments == {"path": "a"}
        assert ended(await worker.resume(text("ok"))).error is None


async def test_an_abandoned_exception_is_not_told_by_the_replacements_failure() -> None:
    async with a_worker() as worker:
        code = "try:\n    {}['old']\nexcept KeyError:\n    fs.read(path='a')"
        paused(await worker.run(code))
        end = ended(await worker.replace("[]['new']"))
        assert end.error == "user_exception"
        assert "TypeError" in end.traceback
        assert "KeyError" not in end.traceback


async def test_asyncio_runs_again_inside_a_replacement_of_asyncio() -> None:
    async with a_worker() as worker:
        code = (
            "import asyncio\n"
            "async def main():\n"
            "    await asyncio.sleep(0)\n"
            "    return fs.read(path='a')\n"
            "print(asyncio.run(main()))"
        )
        paused(await worker.run(code))
        paused(await worker.replace(code))
        assert ended(await worker.resume(text("answer"))).printed == "answer\n"


async def test_a_time_out_in_a_replacement_ends_the_replacement_alone() -> None:
    async with a_worker(WorkerLimits(block_seconds=0.3)) as worker:
        await run(worker, "log = []")
        paused(await run(worker, HOLDERS["a try with every kind of handler"]))
        end = ended(await worker.replace("while True: pass"))
        assert end.error == "timeout_soft"
        assert await printed_by(worker, "print(log)") == "[]\n"


async def test_a_memory_error_in_a_replacement_ends_the_replacement_alone() -> None:
    async with a_worker() as worker:
        await run(worker, "log = []")
        paused(await run(worker, HOLDERS["a nested function"]))
        end = ended(await worker.replace("x = 'a' * (1 << 30)"))
        assert end.error == "memory_error"
        assert await printed_by(worker, "print(log)") == "[]\n"


async def test_a_refused_replacement_has_abandoned_the_block_all_the_same() -> None:
    async with a_worker() as worker:
        paused(await run(worker, "x = fs.read(path='a')"))
        assert ended(await worker.replace("import socket")).error == "blocked_import"
        assert await printed_by(worker, "print('x' in globals())") == "False\n"
