"""Short ways to run a block in a real sandbox and to look at what came of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from textwrap import dedent

from controlscope.roles import BlockEnded, Paused, Worker, WorkerEvent
from controlscope.tools import Observation
from executors.worker.client import WorkerLimits, open_sandbox

TOOLS = ("read", "write", "list")


@asynccontextmanager
async def a_worker(limits: WorkerLimits | None = None) -> AsyncIterator[Worker]:
    """Open a sandbox with three tools on `fs` and give its first worker."""
    async with open_sandbox("fs", TOOLS, limits) as sandbox:
        yield await sandbox.worker()


def text(answer: str, *, is_error: bool = False) -> Observation:
    return Observation(answer, is_error, answer)


def paused(event: WorkerEvent) -> Paused:
    assert isinstance(event, Paused), event
    return event


def ended(event: WorkerEvent) -> BlockEnded:
    assert isinstance(event, BlockEnded), event
    return event


async def run(worker: Worker, code: str) -> WorkerEvent:
    return await worker.run(dedent(code).strip() + "\n")


async def printed_by(worker: Worker, code: str) -> str:
    """Run a block that makes no calls and must succeed; return what it printed."""
    end = ended(await run(worker, code))
    assert end.error is None, end.traceback
    return end.printed
