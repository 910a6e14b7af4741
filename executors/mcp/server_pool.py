"""Warm servers for branches: each on a folder of its own, filled for one branch after another.

A fresh server costs more than all the rest of a branch. A server that is not stateless is started
anew for each branch, on a copy that shares no file.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from controlscope.errors import CopyRefusedError
from executors.mcp.copies import copy_state, empty
from executors.mcp.environment import Connection, Judge, McpEnvironment, open_server
from executors.mcp.server import ServerSpec

__all__ = ["Branched", "ServerPool", "open_pool"]


@dataclass(frozen=True)
class Branched:
    """A branch's own environment, and the workspace behind it."""

    environment: McpEnvironment
    workspace: Path


@asynccontextmanager
async def open_pool(spec: ServerSpec, folder: Path) -> AsyncIterator["ServerPool"]:
    """Open a pool whose servers' folders are in `folder`, on the file system of what is copied.

    Enter and leave in one task, of the main thread; on leaving no server is left.
    """
    async with AsyncExitStack() as servers:
        yield ServerPool(spec, folder, servers)


class ServerPool:
    """Servers that serve one branch at a time each."""

    def __init__(self, spec: ServerSpec, folder: Path, servers: AsyncExitStack) -> None:
        self._spec = spec
        self._folder = folder
        self._servers = servers
        self._idle: list[Connection] = []

    @asynccontextmanager
    async def branch(self, source: Path, started: int, judge: Judge) -> AsyncIterator[Branched]:
        """Give a branch of the workspace `source`, which is at rest, an environment of its own.

        `started` is the first second of the run that has written `source`. Open no cancel scope
        between the pool and this that ends before the pool. CopyRefusedError as it says.
        """
        if not self._spec.stateless:
            workspace = self._new_folder()
            self._fill(source, workspace)
            async with open_server(self._spec, workspace) as connection:
                yield Branched(McpEnvironment(connection, judge, started), workspace)
            return
        connection = self._idle.pop() if self._idle else await self._start()
        self._fill(source, connection.workspace)
        yield Branched(McpEnvironment(connection, judge, started), connection.workspace)
        # Not where the branch failed: whether a call of it still runs is then unknown.
        empty(connection.workspace)
        self._idle.append(connection)

    async def _start(self) -> Connection:
        workspace = self._new_folder()
        return await self._servers.enter_async_context(open_server(self._spec, workspace))

    def _new_folder(self) -> Path:
        self._folder.mkdir(exist_ok=True)
        return Path(mkdtemp(dir=self._folder))

    def _fill(self, source: Path, workspace: Path) -> None:
        if not copy_state(source, workspace, shared=self._spec.stateless):
            raise CopyRefusedError(f"{source} would list in another order")
