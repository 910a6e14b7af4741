"""A place for runs whose environment is an MCP server on a folder, and whose worker is our own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from controlscope.roles import Copied, Place, Sandbox, Worker
from executors.mcp.environment import Judge, McpEnvironment, open_environment
from executors.mcp.server import ServerSpec
from executors.mcp.server_pool import ServerPool, open_pool
from executors.mcp.workspace import first_second, prepare
from executors.worker.boxes.box import Maker
from executors.worker.client import forked, open_sandbox

__all__ = ["McpOrigin"]


@dataclass(frozen=True)
class McpOrigin:
    """A task's built folder `initial`, the server that runs on a copy of it, and who scores it.

    `proxy` is the name that a program calls the server's tools through, `maker` its back end.
    """

    spec: ServerSpec
    proxy: str
    initial: Path
    judge: Judge
    maker: Maker

    @asynccontextmanager
    async def opened(self, workspace: Path) -> AsyncIterator[Place]:
        """Start a server on a fresh copy of the folder, and a sandbox."""
        prepare(self.initial, workspace)
        async with (
            open_environment(self.spec, workspace, self.judge) as environment,
            open_sandbox(self.proxy, environment.tools, maker=self.maker) as sandbox,
            open_pool(self.spec, workspace.with_name("pool")) as pool,
        ):
            yield _McpPlace(environment, sandbox, workspace, pool, self.judge)

    def shown(self, tool: str, raw: str, is_error: bool) -> str:
        """Return what a program is shown of an answer, under the frozen clock."""
        return self.spec.frozen_clock(tool, raw, is_error, self._started)

    @cached_property
    def _started(self) -> int:
        return first_second(self.initial)


@dataclass(frozen=True)
class _McpPlace:
    """A server on `workspace`; servers for its copies come from `pool`."""

    environment: McpEnvironment
    sandbox: Sandbox
    workspace: Path
    pool: ServerPool
    judge: Judge

    @asynccontextmanager
    async def copied(self, worker: Worker) -> AsyncIterator[Copied]:
        """Copy the workspace under a server of its own, and fork the worker."""
        async with (
            self.pool.branch(self.workspace, self.environment.started, self.judge) as branched,
            forked(worker) as (sandbox, copy, paused),
        ):
            environment, workspace = branched.environment, branched.workspace
            place = _McpPlace(environment, sandbox, workspace, self.pool, self.judge)
            yield Copied(place, copy, paused)
