"""The Landlock back end: nothing installed and no privilege; the supervisor confines itself.

There is no namespace: the process sees this machine's numbers of processes, and its Python stands
where it stands here. What it may read is the standard library and its shared libraries, what it may
write nothing. It never copies a worker: branches are replayed.
"""

import atexit
import fcntl
import os
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
_PREFIX = "controlscope-guest-"
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
    folder = _own_folder()
    (folder / "executors" / "worker").mkdir(parents=True)
    for name in GUEST_FILES:
        shutil.copyfile(here / name, folder / "executors" / "worker" / name)
    return folder


def _own_folder() -> Path:
    """Make a folder that is locked as long as this process lives, and remove those left behind."""
    new = Path(tempfile.mkdtemp(prefix=f"new-{_PREFIX}"))
    # The lock is held by the open descriptor, and ends with this process however it ends.
    fcntl.flock(os.open(new, os.O_RDONLY), fcntl.LOCK_SH)
    folder = new.rename(new.with_name(new.name.removeprefix("new-")))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for left in folder.parent.glob(f"{_PREFIX}*"):
        if left.is_dir() and left.stat().st_uid == os.geteuid():
            _remove_if_left(left)
    return folder


def _remove_if_left(folder: Path) -> None:
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
    except FileNotFoundError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return  # Its controller lives.
    else:
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(descriptor)


LANDLOCK = Maker("landlock", _start, _probe, forks=False)
