"""Real workspaces and real servers on them."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from controlscope.roles import Score
from executors.mcp.environment import McpEnvironment, open_environment
from executors.mcp.server import ServerSpec, filesystem_server
from executors.mcp.workspace import prepare

PAST = 1_750_000_000
"""The modification time of all that a test builds: 2025-06-15 15:06:40 UTC."""


def build(root: Path, files: Mapping[str, bytes]) -> Path:
    """Make an initial environment; a name that ends in `/` is an empty directory."""
    root.mkdir(parents=True)
    for name, content in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for path in [*root.rglob("*"), root]:
        os.utime(path, (PAST, PAST))
    return root


async def entries_only(workspace: Path) -> Score:
    """Judge a workspace by how many entries it holds."""
    count = sum(1 for _ in workspace.rglob("*"))
    return Score(count > 0, f"{count} entries")


@asynccontextmanager
async def opened(
    folder: Path, files: Mapping[str, bytes], spec: ServerSpec | None = None
) -> AsyncIterator[McpEnvironment]:
    """Run the filesystem server on a copy of these files at `folder/workspace`."""
    if not (folder / "initial").exists():
        build(folder / "initial", files)
    prepare(folder / "initial", folder / "workspace")
    async with open_environment(
        spec or filesystem_server(), folder / "workspace", entries_only
    ) as environment:
        yield environment
