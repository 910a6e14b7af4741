"""The Landlock back end: nothing installed and no privilege; the supervisor confines itself.

There is no namespace: the process sees this machine's numbers of processes, and its Python stands
where it stands here. What it may read is the standard library and its shared libraries, what it may
write nothing. It never copies a worker: branches are replayed.
"""

import atexit
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from controlscope.errors import InfrastructureError
from executors.worker.boxes.box import Maker
from executors.worker.boxes.bubblewrap import ProcessBox, spawn
from executors.worker.rootfs import ENVIRONMENT, GUEST_FILES, root

__all__ = ["LANDLOCK", "guest_folder", "readable"]

_SUPERVISOR = "from executors.worker.landlocked import main; main()"
_HINT = "it needs Linux 5.13 or later with Landlock among its security modules"


async def _start() -> ProcessBox:
    return spawn(_command(_SUPERVISOR), _environment())


def _probe() -> str | None:
    """Confine a process for real and let it try to read this file."""
    code = (
        "from executors.worker.landlocked import confine; confine()\n"
        f"try:\n    open({__file__!r})\nexcept PermissionError:\n    print('confined')"
    )
    try:
        done = subprocess.run(
            _command(code),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            env=_environment(),
            cwd="/",
            check=False,
        )
    except InfrastructureError as error:
        return f"{error.detail}; {_HINT}"
    if done.stdout == "confined\n":
        return None
    last = (done.stderr.strip().splitlines() or ["the confined process read a file"])[-1]
    return f"{last}; {_HINT}"


def _command(code: str) -> list[str]:
    python = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    return [str(python), "-S", "-s", "-P", "-B", "-c", code, *readable()]


def _environment() -> dict[str, str]:
    return {**ENVIRONMENT, "PYTHONPATH": str(guest_folder())}


def readable() -> list[str]:
    """Return what our own Python may read: itself, its library, and the supervisor's files."""
    tree = root()
    own = str(Path(__file__).parents[1])
    found = [str(guest_folder())]
    for source, target in tree.binds:
        if source.startswith(own):
            continue
        path = Path(source)
        if path.is_dir():
            covered = {Path(folder).name for folder in tree.covered if folder.startswith(target)}
            found += [str(part) for part in path.iterdir() if part.name not in covered]
        else:
            found.append(source)
    return found


@cache
def guest_folder() -> Path:
    """Copy the supervisor's files out of the checkout, which nothing inside may read."""
    here = Path(__file__).parents[1]
    folder = Path(tempfile.mkdtemp(prefix="controlscope-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "executors" / "worker").mkdir(parents=True)
    for name in GUEST_FILES:
        shutil.copyfile(here / name, folder / "executors" / "worker" / name)
    return folder


LANDLOCK = Maker("landlock", _start, _probe, forks=False)
