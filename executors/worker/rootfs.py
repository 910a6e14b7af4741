"""The root file system of a sandbox: the running Python and what it loads, read-only, no more."""

import sys
import sysconfig
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from executors.bubblewrap import library_closure

__all__ = ["ENVIRONMENT", "GUEST_FILES", "HIDDEN_FOLDERS", "PROGRAM_FOLDER", "Root", "root"]

PROGRAM_FOLDER = "/controlscope"
"""Where the supervisor's and the guest's own files stand inside."""

ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONPATH": PROGRAM_FOLDER,
    "TZ": "UTC",
}
"""The environment variables of a supervisor."""

GUEST_FILES = (
    "blocks.py",
    "bpf.py",
    "charges.py",
    "checks.py",
    "exposure.py",
    "failures.py",
    "forking.py",
    "frames.py",
    "frozen.py",
    "guest.py",
    "keeper.py",
    "landlocked.py",
    "output.py",
    "proxy.py",
    "seccomp.py",
    "starting.py",
    "supervisor.py",
    "system_calls.py",
)
HIDDEN_FOLDERS = (
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

    Python stands under /usr inside, wherever it stands on the host: a traceback that a program
    prints then reads the same everywhere. InfrastructureError("sandbox_start_failed") where a
    library is missing.
    """
    python = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    folders = _standard_library()
    extensions = [
        path
        for folder in folders
        for path in sorted((folder / "lib-dynload").glob("*.so"))
        if not path.name.startswith(_NEEDLESS_EXTENSIONS)
    ]
    libraries = library_closure([python, *extensions])
    binds = [(path, path) for path in libraries]
    binds += [(path, _inside(path)) for path in (python, *folders)]
    # A library that is found beside the interpreter is looked for beside it inside, too.
    binds += [(path, _inside(path)) for path in libraries if _inside(path) != path]
    cache = Path("/etc/ld.so.cache")  # names libraries outside the loader's default folders
    if cache.exists():
        binds.append((cache, cache))
    here = Path(__file__).parent
    binds += [(here / name, Path(PROGRAM_FOLDER, "executors/worker", name)) for name in GUEST_FILES]
    covered = [
        _inside(path)
        for folder in folders
        for path in (folder / name for name in HIDDEN_FOLDERS)
        if path.is_dir() and not path.is_symlink()
    ]
    return Root(
        tuple((str(source), str(target)) for source, target in binds),
        tuple(map(str, covered)),
        str(_inside(python)),
    )


def _standard_library() -> list[Path]:
    """Return the base interpreter's folders, never those of a virtual environment."""
    base = {"installed_base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    found = {sysconfig.get_path(name, vars=base) for name in ("stdlib", "platstdlib")}
    return sorted(Path(folder).resolve() for folder in found)


def _inside(path: Path) -> Path:
    prefix = Path(sys.base_prefix).resolve()
    return Path("/usr") / path.relative_to(prefix) if path.is_relative_to(prefix) else path
