"""The root file system of a sandbox: the running Python and what it loads, read-only, no more."""

import sys
import sysconfig
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from executors.bubblewrap import library_closure

__all__ = ["PROGRAM_FOLDER", "Root", "root"]

PROGRAM_FOLDER = "/controlscope"
"""Where the supervisor's and the guest's own files stand inside."""

_GUEST_FILES = (
    "blocks.py",
    "checks.py",
    "exposure.py",
    "failures.py",
    "frames.py",
    "frozen.py",
    "guest.py",
    "output.py",
    "proxy.py",
    "seccomp.py",
    "supervisor.py",
)
_HIDDEN_FOLDERS = (
    "site-packages",
    "dist-packages",
    "test",
    "tests",
    "idlelib",
    "tkinter",
    "ensurepip",
    "lib2to3",
    "turtledemo",
)
_NEEDLESS_EXTENSIONS = ("_tkinter", "_test", "_curses", "_dbm", "_gdbm", "nis", "readline", "xx")


class Root(NamedTuple):
    """What is bound, host path to path inside; which folders are covered; the interpreter."""

    binds: tuple[tuple[str, str], ...]
    covered: tuple[str, ...]
    python: str


@lru_cache(maxsize=1)
def root() -> Root:
    """Find the interpreter, its standard library and the shared libraries that they load.

    InfrastructureError("sandbox_start_failed") where a library is missing.
    """
    python = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    folders = sorted({sysconfig.get_path(name) for name in ("stdlib", "platstdlib")})
    extensions = [
        path
        for folder in folders
        for path in sorted((Path(folder) / "lib-dynload").glob("*.so"))
        if not path.name.startswith(_NEEDLESS_EXTENSIONS)
    ]
    libraries = map(str, library_closure([python, *extensions]))
    here = Path(__file__).parent
    own = [(str(here / name), f"{PROGRAM_FOLDER}/executors/worker/{name}") for name in _GUEST_FILES]
    host = [str(python), *folders, *libraries]
    cache = Path("/etc/ld.so.cache")  # names libraries outside the loader's default folders
    if cache.exists():
        host.append(str(cache))
    covered = [
        str(path)
        for folder in folders
        for path in (Path(folder) / name for name in _HIDDEN_FOLDERS)
        if path.is_dir() and not path.is_symlink()
    ]
    return Root((*((path, path) for path in host), *own), tuple(covered), str(python))
