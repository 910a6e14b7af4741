"""A paused worker is copied: equal, apart from each other, and at nobody's wish but ours."""

import os
from textwrap import dedent

import anyio
import pytest

from controlscope.errors import WorkerLostError
from controlscope.roles import Worker
from executors.worker.client import forked, open_sandbox
from tests.executors.worker.programs import TOOLS, a_worker, ended, paused, run, text
from tests.processes import nothing_left_running

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("forking_back_end")]

NATIVE = "native = getattr(__builtins__, '__imp' 'ort__')('ctypes').CDLL(None, use_errno=True)\n"
CLONE_BESIDE = NATIVE + "print(native.syscall(56, 0x8011, 0, 0, 0, 0))\n"
DRAWS = """
import random, uuid, secrets, os
own = random.Random(3)
shared = [random.random()]
generator = iter(range(5))
next(generator)
print('before')
def draw():
    return [random.random(), own.random(), str(uuid.uuid4()), secrets.token_hex(4), next(generator)]
fs.read(path='a')
shared += draw()
random.seed()
shared += draw()
fs.read(path='b')
print(shared)
"""


async def test_copies_tell_the_pause_of_their_original_and_draw_the_same() -> None:
    async with a_worker() as worker:
        first = paused(await run(worker, DRAWS))
        told = []
        for _ in range(3):
            async with forked(worker) as (_, copy, pause):
                assert pause == first
                told.append(await copy.resume(text("A")))
        told.append(await worker.resume(text("A")))
        assert "generator" in paused(told[0]).variables.unexposed
        assert len(set(map(str, told))) == 1


async def test_what_one_copy_does_no_other_sees() -> None:
    async with a_worker() as worker:
        await run(worker, "x = [1]\nprint('both')\nfs.read(path='a')\nprint(x)")
        async with (
            forked(worker) as (_, one, _),
            forked(worker) as (_, other, pause),
        ):
            assert ended(await one.replace("x.append(2)\nprint(x)")).printed == "both\n[1, 2]\n"
            assert pause.variables.module == {"x": [1]}
            assert ended(await other.resume(text(""))).printed == "both\n[1]\n"
            assert ended(await run(one, "print(x)")).printed == "[1, 2]\n"
        assert ended(await worker.resume(text(""))).printed == "both\n[1]\n"


async def test_a_copy_can_be_copied_at_its_next_pause() -> None:
    async with a_worker() as worker:
        await run(worker, "def f(n):\n    return fs.read(path=str(n)) + f(n - 1)\nf(9)")
        async with forked(worker) as (_, child, _):
            await child.resume(text("1"))
            async with forked(child) as (_, grandchild, pause):
                assert pause.pending.arguments == {"path": "8"}
                assert pause.variables.block == {"n": 8}
                assert paused(await grandchild.resume(text("2"))).variables.block == {"n": 7}
                assert paused(await child.resume(text("3"))).variables.block == {"n": 7}
        assert paused(await worker.resume(text("4"))).variables.block == {"n": 8}


async def test_a_lost_copy_costs_itself_alone() -> None:
    async with a_worker() as worker:
        await run(worker, "import os\nx = 1\nfs.read(path='a')\nprint(x)")
        async with forked(worker) as (sandbox, copy, _):
            with pytest.raises(WorkerLostError):
                await copy.replace("getattr(os, '_exit')(3)")
            fresh = await sandbox.worker()
            assert ended(await run(fresh, "print('x' in globals())")).printed == "False\n"
        assert ended(await worker.resume(text(""))).printed == "1\n"


async def test_only_a_paused_worker_is_copied() -> None:
    async with a_worker() as worker:
        with pytest.raises(RuntimeError, match="only a worker that is paused"):
            await worker_fork(worker)
        await run(worker, "x = 1")
        with pytest.raises(RuntimeError, match="only a worker that is paused"):
            await worker_fork(worker)


async def worker_fork(worker: Worker) -> None:
    async with forked(worker):
        pass


async def test_a_program_cannot_tell_that_it_was_copied() -> None:
    async with a_worker() as worker:
        code = (
            "import os\ngetattr(os, 'register_at_fork')(after_in_child=lambda: print('copied'))\n"
        )
        await run(worker, code + "fs.read(path='a')\nprint(1)")
        async with forked(worker) as (_, copy, _):
            assert ended(await copy.resume(text(""))).printed == "1\n"


async def test_a_copy_kills_neither_its_original_nor_another_copy() -> None:
    async with a_worker() as worker:
        await run(worker, "import os\nmine = os.getpid()\nfs.read(path='a')\nprint('lives')")
        code = """
            def kill(target):
                try:
                    getattr(os, 'kill')(target, 9)
                except PermissionError:
                    print('refused')
            kill(-1)
            kill(mine)
            kill(0)
            """
        async with forked(worker) as (_, other, _), forked(worker) as (_, copy, _):
            assert ended(await copy.replace(dedent(code))).printed == "refused\n" * 3
            assert ended(await other.resume(text(""))).printed == "lives\n"
        assert ended(await worker.resume(text(""))).printed == "lives\n"


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of x86_64")
async def test_no_program_copies_itself_before_or_after_it_was_copied() -> None:
    async with a_worker() as worker:
        assert ended(await run(worker, CLONE_BESIDE)).printed == "-1\n"
        await run(worker, f"fs.read(path='a')\n{CLONE_BESIDE}")
        async with forked(worker) as (_, copy, _):
            assert ended(await copy.resume(text(""))).printed == "-1\n"
        assert ended(await worker.resume(text(""))).printed == "-1\n"


HOSTILE = """
import sys
forking = getattr(sys, 'mod' 'ules')['executors.worker.forking']
original = forking.clone_beside
"""
TWICE = """
def clone():
    pid = original()
    if pid == 0 and original() == 0:
        while True: pass
    return pid
"""
NEVER = "clone = lambda: -1\n"
ITSELF = "clone = lambda: 0\n"
SILENT = """
import time
def clone():
    if original() == 0:
        time.sleep(60)
    return 1
"""


@pytest.mark.parametrize("clone", [TWICE, NEVER, ITSELF, SILENT])
async def test_a_worker_that_copies_itself_otherwise_than_asked_leaves_no_process(
    clone: str,
) -> None:
    with nothing_left_running() as started:
        async with open_sandbox("fs", TOOLS) as sandbox:
            worker = await sandbox.worker()
            alone = started()
            await run(worker, f"{HOSTILE}{clone}\nforking.clone_beside = clone\nfs.read(path='a')")
            if clone is TWICE:
                # The second one is refused: the copy is an ordinary one.
                async with forked(worker) as (_, copy, _):
                    assert ended(await copy.resume(text(""))).error is None
                assert ended(await worker.resume(text(""))).error is None
            else:
                with pytest.raises(Exception, match=r"copied|protocol_violation"):
                    await worker_fork(worker)
            if clone is SILENT:
                # The copy that nobody knows is gone at once, and with it all that runs below.
                with anyio.fail_after(10):
                    while alone and len(started()) >= len(alone):
                        await anyio.sleep(0.01)
            assert ended(await run(await sandbox.worker(), "print(1)")).printed == "1\n"
            assert len(started()) == len(alone)
