"""The engine's private names are refused before a block runs, and there is nothing behind them."""

import pytest

from executors.appworld.guard import PRIVATE
from executors.worker.client import Manner, open_sandbox
from tests.executors.worker.programs import ended, paused, printed_by, run

pytestmark = pytest.mark.anyio

APIS = ("spotify.login", "supervisor.complete_task")
GUARDED = Manner(values=True, private=PRIVATE)

REFUSED = {
    **{f"print({name})": "blocked_name" for name in PRIVATE},
    "world.execute('1')": "blocked_name",
    "requester._client.get('/')": "blocked_name",
    "apis._requester": "blocked_attribute",
    "apis.spotify._x": "blocked_attribute",
    "apis.spotify.login._x": "blocked_attribute",
    "apis.__class__": "blocked_attribute",
    "apis.spotify.__dict__": "blocked_attribute",
    "apis._requester = 1": "blocked_attribute",
    "def f():\n    return apis._requester.request": "blocked_attribute",
    "apis.spotify.login.__globals__": "blocked_attribute",
    "apis.spotify.login.__closure__": "blocked_attribute",
    "().__class__.__base__.__subclasses__()": "blocked_attribute",
    "(lambda: 0).__code__": "blocked_attribute",
    "(x for x in ()).gi_frame.f_back.f_locals": "blocked_attribute",
    "import sys\nsys._getframe()": "blocked_attribute",
    "import sys\nsys.modules": "blocked_attribute",
    "import gc": "blocked_import",
    "import inspect": "blocked_import",
    "import builtins": "blocked_import",
    "eval('world')": "blocked_name",
}

DYNAMIC = """
import sys
names = set()
frame = getattr(sys, "_get" + "frame")()
while frame is not None:
    names |= set(getattr(frame, "f_" + "globals")) | set(getattr(frame, "f_" + "locals"))
    frame = getattr(frame, "f_" + "back")
modules = getattr(sys, "mod" + "ules")
print(sorted(names & {"requester", "world", "AppWorld", "safety_guard", "ground_truth"}))
print(sorted(name for name in modules if name.split(".")[0] in ("appworld", "sqlmodel", "fastapi")))
"""


@pytest.mark.parametrize(("code", "kind"), REFUSED.items())
async def test_a_block_that_names_something_private_does_not_run(code: str, kind: str) -> None:
    async with open_sandbox("apis", APIS, manner=GUARDED) as sandbox:
        worker = await sandbox.worker()
        end = ended(await worker.run(f"print('ran')\n{code}\n"))
        assert (end.error, end.printed) == (kind, "")
        assert "line " in end.traceback


async def test_the_message_says_what_a_program_has_instead() -> None:
    async with open_sandbox("apis", APIS, manner=GUARDED) as sandbox:
        worker = await sandbox.worker()
        end = ended(await run(worker, "apis.spotify._requester"))
        assert (
            end.traceback == "line 1: _requester is private: of apis a program has the tools alone"
        )
        end = ended(await run(worker, "x = getattr(apis, '_req' + 'uester')"))
        assert "AttributeError: apis._requester is private" in end.traceback


async def test_a_name_of_the_programs_own_is_no_private_one() -> None:
    async with open_sandbox("apis", APIS, manner=GUARDED) as sandbox:
        worker = await sandbox.worker()
        assert await printed_by(worker, "world = 'mine'\nprint(world)") == "mine\n"
        assert await printed_by(worker, "print(world, [shell for shell in 'a'])") == "mine ['a']\n"
        assert paused(await run(worker, "apis.spotify.login(world=world)")).pending.arguments


async def test_whoever_gets_round_the_names_finds_no_engine_in_the_process() -> None:
    async with open_sandbox("apis", APIS, manner=GUARDED) as sandbox:
        worker = await sandbox.worker()
        assert await printed_by(worker, DYNAMIC) == "[]\n[]\n"


async def test_without_a_guard_only_what_is_below_the_proxy_is_private() -> None:
    async with open_sandbox("apis", APIS) as sandbox:
        worker = await sandbox.worker()
        assert ended(await run(worker, "world")).error == "user_exception"
        assert ended(await run(worker, "apis._requester")).error == "blocked_attribute"
