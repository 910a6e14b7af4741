"""How a tool server or an engine is shut off from all but its workspace: bubblewrap or Landlock."""

import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias

from controlscope.errors import InfrastructureError
from executors.bubblewrap import bwrap_path
from executors.paths import inward_in_text
from executors.worker.boxes.landlock import LANDLOCK, guest_folder, readable

__all__ = ["SYSTEM", "Confined", "Means", "Program", "confined", "means"]

Means: TypeAlias = Literal["bubblewrap", "landlock"]

SYSTEM = tuple(
    Path(path)
    for path in (
        *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"),
        # What the loader looks libraries up in, and what Debian's commands in /usr/bin point to.
        *("/etc/ld.so.cache", "/etc/alternatives"),
    )
)
"""What any command of this machine needs to see."""

_ENVIRONMENT = {
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "PATH": "/usr/bin:/bin",
    "TZ": "UTC",
}


class Program(Protocol):
    """What is to be run: its command line as it is inside, the (host, inside) paths that it reads,
    where it sees its workspace, and variables that join its environment."""

    @property
    def command(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def binds(self) -> tuple[tuple[Path, str], ...]: ...  # noqa: D102
    @property
    def state(self) -> str: ...  # noqa: D102
    @property
    def variables(self) -> Mapping[str, str]: ...  # noqa: D102


class Confined(NamedTuple):
    """A program's command line, and the path that it sees its workspace at."""

    command: list[str]
    root: str


@cache
def means() -> Means:
    """Return what confines tool servers on this machine; tried once a process.

    InfrastructureError (sandbox_start_failed) where nothing does: no server runs unconfined.
    """
    try:
        bwrap_path()
    except InfrastructureError as error:
        problem = LANDLOCK.probe()
        if problem is None:
            return "landlock"
        detail = f"{error.detail}; landlock: {problem}"
        raise InfrastructureError("sandbox_start_failed", detail) from None
    return "bubblewrap"


def confined(spec: Program, workspace: Path) -> Confined:
    """Return how to run a server on a workspace, shut off from all else.

    No network, a clean environment, no capabilities, and nothing that can be written but the
    workspace. It dies with the thread that starts it, or by SIGTERM, and all that it has started
    with it.
    """
    return _HOW[means()](spec, workspace.resolve())


def _in_bubblewrap(spec: Program, workspace: Path) -> Confined:
    command = [str(bwrap_path()), "--unshare-all", "--unshare-user", "--disable-userns"]
    command += ["--die-with-parent", "--new-session"]
    command += ["--cap-drop", "ALL", "--clearenv"]
    for name, value in {**_ENVIRONMENT, **spec.variables}.items():
        command += ["--setenv", name, value]
    for host, inside in spec.binds:
        command += ["--ro-bind", str(host), inside]
    command += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    command += ["--bind", str(workspace), spec.state, "--chdir", spec.state]
    command += ["--remount-ro", "/", "--"]
    return Confined([*command, *spec.command], spec.state)


def _by_landlock(spec: Program, workspace: Path) -> Confined:
    """Let it see its files where they are on this machine, the workspace too."""
    code = (
        f"import sys; sys.path.insert(0, {str(guest_folder())!r});"
        " from executors.worker.landlocked import serve; serve()"
    )
    python = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    # Where a file is there and may not be read, OpenSSL fails: it is told of none.
    variables = {**_ENVIRONMENT, "OPENSSL_CONF": os.devnull, **spec.variables}
    command = [str(python), "-S", "-s", "-P", "-B", "-c", code]
    command += [*readable(), *(str(host) for host, _ in spec.binds), "--", str(workspace), "--"]
    places = [(inside, str(host)) for host, inside in (*spec.binds, (workspace, spec.state))]
    command += [f"{name}={inward_in_text(value, places)}" for name, value in variables.items()]
    command += ["--", *(inward_in_text(part, places) for part in spec.command)]
    return Confined(command, str(workspace))


_HOW: dict[Means, Callable[[Program, Path], Confined]] = {
    "bubblewrap": _in_bubblewrap,
    "landlock": _by_landlock,
}
