"""An environment whose tools are an MCP server's and whose state is a directory."""

import base64
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import anyio
from mcp import Client, MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    REQUEST_TIMEOUT,
    BlobResourceContents,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ResourceLink,
    TextContent,
)
from pydantic import ValidationError

from controlscope.canonical import JsonObject, digest, digest_bytes, encode
from controlscope.errors import InfrastructureError
from controlscope.roles import Score
from controlscope.tools import Observation, Tool
from executors.confinement import confined
from executors.mcp.server import ServerSpec
from executors.mcp.transport import StdioServer
from executors.mcp.workspace import FileHashes, first_second, manifest
from executors.paths import inward, outward

__all__ = ["Connection", "McpEnvironment", "open_environment", "open_server"]

_TICK_SECONDS = 0.05

Judge: TypeAlias = Callable[[Path], Awaitable[Score]]
"""Scores a workspace as it is."""


@dataclass(frozen=True)
class Connection:
    """A running server on a directory, which it sees at `root`, and the tools that it offers."""

    spec: ServerSpec
    workspace: Path
    root: str
    client: Client
    server: StdioServer
    tools: Mapping[str, Tool]


@asynccontextmanager
async def open_server(spec: ServerSpec, workspace: Path) -> AsyncIterator[Connection]:
    """Run a server on a workspace; on leaving, whatever the way, it is gone.

    Enter and leave in one task, of the main thread. InfrastructureError (mcp_lost) where the
    server does not start.
    """
    command, root = confined(spec, workspace)
    server = StdioServer(command)
    failure: Exception | None = None
    try:
        async with Client(
            server.transport(), mode="legacy", cache=None, read_timeout_seconds=spec.call_seconds
        ) as client:
            tools = await _tools(client, spec, root)
            connection = Connection(spec, workspace, root, client, server, tools)
            try:
                yield connection
            except Exception as error:
                # Carried past the client's task groups, which would wrap it.
                failure = error
    except Exception as error:
        # Where the run failed too, its own failure says more than the server's end.
        if failure is None:
            raise _lost(server, f"the server did not start or failed: {_first(error)!r}") from error
    if failure is not None:
        raise failure


@asynccontextmanager
async def open_environment(
    spec: ServerSpec, workspace: Path, score: Judge
) -> AsyncIterator["McpEnvironment"]:
    """Run a server on a workspace in its initial state, as an environment that `score` judges.

    As `open_server`; InputError where an entry is dated after the present.
    """
    started = first_second(workspace)
    async with open_server(spec, workspace) as connection:
        # File times lag behind the clock by up to a tick.
        while (wait := started + _TICK_SECONDS - time.time()) > 0:
            await anyio.sleep(wait)
        yield McpEnvironment(connection, score, started)


class McpEnvironment:
    """One server on one workspace. Its calls are made one after the other.

    `started` is the first second that can only be of a run's own write: of a workspace that a run
    has written to, that of its initial state. Nobody else may use the connection meanwhile.
    """

    def __init__(self, connection: Connection, score: Judge, started: int) -> None:
        self._spec = connection.spec
        self._workspace = connection.workspace
        self._root = connection.root
        self._score = score
        self._client = connection.client
        self._server = connection.server
        self._tools = connection.tools
        self.started = started
        self._lock = anyio.Lock()
        self._void = ""
        self._digest: str | None = None
        self._hashes: FileHashes = {}

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The server's tools by name, those that its spec allows."""
        return self._tools

    @property
    def over(self) -> None:
        """A server never says that a task is over."""
        return None

    async def call(self, tool: str, arguments: JsonObject) -> Observation:
        """Make one call.

        What the server cannot be sent is answered here, in its own words. An image, a sound or
        another part that is no text becomes one line of JSON: its `type`, `mimeType`, `size` in
        bytes, `sha256`, and its `uri` if it has one. InfrastructureError (mcp_lost) where the
        server is gone or silent, or where an earlier call was not waited for: whether that one
        took effect is then unknown.
        """
        known = self._tools.get(tool)
        if known is None:
            return _refused(f"Tool {tool} not found")
        problem = known.problem(arguments)
        if problem is not None:
            return _refused(f"Input validation error: Invalid arguments for tool {tool}: {problem}")
        async with self._lock:
            if self._void:
                raise _lost(self._server, self._void)
            self._void = f"a call of {tool} was given up before it was answered"
            if not known.read_only:
                self._digest = None
            text, is_error = await self._send(tool, self._inward(tool, arguments))
            text = outward(text, self._spec.state, self._root)
            self._void = ""
        shown = self._spec.frozen_clock(tool, text, is_error, self.started)
        return Observation(shown, is_error, text)

    def _inward(self, tool: str, arguments: JsonObject) -> JsonObject:
        """Write paths in the workspace as the server sees them, where a parameter holds paths."""
        paths = self._spec.path_parameters.get(tool, frozenset())
        return {
            name: _each(value, lambda path: inward(path, self._spec.state, self._root))
            if name in paths
            else value
            for name, value in arguments.items()
        }

    async def digest(self) -> str:
        """Return the digest of the workspace's manifest; reads only files that may have changed."""
        async with self._lock:
            if self._digest is None:
                self._digest = digest(manifest(self._workspace, self.started, self._hashes))
            return self._digest

    async def files(self) -> JsonObject:
        """Return the workspace's manifest, every file read anew."""
        async with self._lock:
            return manifest(self._workspace, self.started)

    async def score(self) -> Score:
        """Judge the workspace as it is."""
        async with self._lock:
            return await self._score(self._workspace)

    async def _send(self, tool: str, arguments: JsonObject) -> tuple[str, bool]:
        request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=arguments))
        try:
            # Not client.call_tool: it checks structured content, which no program is shown.
            result = await self._client.session.send_request(request, CallToolResult)
        except MCPError as error:
            if error.code in (REQUEST_TIMEOUT, CONNECTION_CLOSED):
                self._void = f"{tool}: {error.message}"
                raise _lost(self._server, self._void) from error
            return error.message, True
        except ValidationError as error:
            self._void = f"{tool}: the answer is no tool result: {error}"
            raise _lost(self._server, self._void) from error
        return "\n".join(map(_text, result.content)), bool(result.is_error)


async def _tools(client: Client, spec: ServerSpec, root: str) -> dict[str, Tool]:
    def shown(text: str) -> str:
        return outward(text, spec.state, root)

    tools: dict[str, Tool] = {}
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            if spec.tools is not None and tool.name not in spec.tools:
                continue
            tools[tool.name] = Tool(
                tool.name,
                shown(tool.description or ""),
                _each(tool.input_schema, shown),
                bool(tool.annotations and tool.annotations.read_only_hint),
                spec.program_parameters.get(tool.name, frozenset()),
            )
        cursor = page.next_cursor
        if cursor is None:
            return tools


def _each(value: Any, change: Callable[[str], str]) -> Any:
    """Change every text that a JSON value holds, names of members left as they are."""
    if isinstance(value, dict):
        return {name: _each(part, change) for name, part in value.items()}
    if isinstance(value, list):
        return [_each(part, change) for part in value]
    return change(value) if isinstance(value, str) else value


def _text(part: ContentBlock) -> str:
    match part:
        case TextContent():
            return part.text
        case ResourceLink():
            return encode({"type": part.type, "uri": part.uri, "mimeType": part.mime_type})
        case EmbeddedResource():
            inner = part.resource
            about = {"type": part.type, "uri": inner.uri, "mimeType": inner.mime_type}
            if isinstance(inner, BlobResourceContents):
                return _summary(about, base64.b64decode(inner.blob))
            return _summary(about, inner.text.encode())
        case _:
            about = {"type": part.type, "mimeType": part.mime_type}
            return _summary(about, base64.b64decode(part.data))


def _summary(about: JsonObject, data: bytes) -> str:
    return encode({**about, "size": len(data), "sha256": digest_bytes(data)})


def _refused(problem: str) -> Observation:
    text = f"MCP error -32602: {problem}"
    return Observation(text, True, text)


def _first(error: Exception) -> Exception:
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


def _lost(server: StdioServer, what: str) -> InfrastructureError:
    last_words = server.last_words
    detail = f"{what}; the server's last words: {last_words}" if last_words else what
    return InfrastructureError("mcp_lost", detail)
