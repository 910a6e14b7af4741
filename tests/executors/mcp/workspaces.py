"""Real workspaces, real servers and the processes that they are."""

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


def descendants(pid: int | None = None) -> dict[int, str]:
    """Return the living processes below one (this one by default): pid to its command's name."""
    children: dict[int, list[tuple[int, str]]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        status = _status(int(folder.name))
        if status is not None:
            name, parent = status
            children.setdefault(parent, []).append((int(folder.name), name))
    found: dict[int, str] = {}
    waiting = [pid or os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found.update(below)
        waiting += [child for child, _ in below]
    return found


def alive(pid: int) -> bool:
    """Tell whether a process runs; one that is dead and only not reaped yet does not."""
    return _status(pid) is not None


def node_pid(pid: int | None = None) -> int:
    """Return the pid of the one Node process below one (this one by default)."""
    (found,) = [child for child, name in descendants(pid).items() if name in ("node", "MainThread")]
    return found


def _status(pid: int) -> tuple[str, int] | None:
    """Return the name and parent of a living process."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    head, _, tail = text.rpartition(")")
    state, parent, *_ = tail.split()
    return None if state == "Z" else (head.partition("(")[2], int(parent))
