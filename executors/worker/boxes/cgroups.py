"""Control groups for boxes, where this process may make them: what a box uses in all.

Each worker has limits of its own; this bounds the sum, whatever a box has become.
"""

import os
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["MEMORY_BYTES", "PROCESSES", "Group", "new_group"]

MEMORY_BYTES = 4 << 30
PROCESSES = 1024

_ROOT = Path("/sys/fs/cgroup")
_PREFIX = "controlscope-"


@dataclass(frozen=True)
class Group:
    """The folders of one box's group: one of version 2, or one a controller of version 1."""

    folders: tuple[Path, ...]

    def entering(self, command: list[str]) -> list[str]:
        """Return a command line that enters the group and then becomes `command`."""
        if not self.folders:
            return command
        moves = " && ".join(f"echo 0 > {folder}/cgroup.procs" for folder in self.folders)
        return ["/bin/sh", "-c", f'{moves} && exec "$@"', "sh", *command]

    def remove(self) -> None:
        """Remove the group; OSError while a process of it has not ended."""
        for folder in self.folders:
            if folder.exists():
                folder.rmdir()


def new_group() -> Group:
    """Make a group for one box; an empty one where this process may not."""
    if os.geteuid() != 0 or shutil.which("sh", path="/bin") is None:
        return Group(())
    made: list[Path] = []
    try:
        for parent, limits in _parents():
            _remove_left(parent)
            folder = parent / f"{_PREFIX}{os.getpid()}-{uuid.uuid4().hex[:8]}"
            folder.mkdir()
            made.append(folder)
            for name, limit in limits.items():
                (folder / name).write_text(str(limit))
    except OSError:
        # A container's view of the groups is often read-only.
        for folder in made:
            folder.rmdir()
        return Group(())
    return Group(tuple(made))


def _parents() -> Iterator[tuple[Path, dict[str, int]]]:
    """Yield the folders to make a group in, and its limits there."""
    if (_ROOT / "cgroup.controllers").exists():
        (_ROOT / "cgroup.subtree_control").write_text("+memory +pids")
        yield _ROOT, {"memory.max": MEMORY_BYTES, "pids.max": PROCESSES}
        return
    for controller, name, limit in (
        ("memory", "memory.limit_in_bytes", MEMORY_BYTES),
        ("pids", "pids.max", PROCESSES),
    ):
        if (_ROOT / controller / "cgroup.procs").exists():
            yield _ROOT / controller, {name: limit}


def _remove_left(parent: Path) -> None:
    """Remove the groups of controllers that were killed."""
    for folder in parent.glob(f"{_PREFIX}*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if not Path("/proc", owner).exists():
            try:
                folder.rmdir()
            except OSError:
                # Its last processes are ending at this moment.
                continue
