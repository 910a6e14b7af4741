"""A workspace's exact copy for a branch: its entries, their times, and the order they list in.

An overlay mount would be no copy: it lists what was added after all else, in an order of its own,
and refuses to move a folder of its lower layer, so that a branch could go another way than the
replay of the same operation.
"""

import os
import shutil
import stat
from pathlib import Path

from controlscope.errors import InputError

__all__ = ["copy_state", "empty"]


def copy_state(source: Path, workspace: Path, *, shared: bool) -> bool:
    """Fill an empty workspace with the state of another one that is at rest.

    `shared`: a file is one on disk with its original (a hard link), which costs no data, for a
    server that never writes into a file in place. Return False where the file system will not list
    the copy in the order of its original; the workspace is then empty again.
    """
    # File systems list by a hash of the name, by age, or newest first.
    for step in (1, -1):
        if _copy_folder(source, workspace, step, shared):
            return True
        empty(workspace)
    return False


def empty(workspace: Path) -> None:
    """Remove all that a folder holds."""
    for child in workspace.iterdir():
        if child.is_dir() and not child.is_symlink():
            shutil.rmtree(child)
        else:
            child.unlink()


def _copy_folder(source: Path, copy: Path, step: int, shared: bool) -> bool:
    """Copy in the order of listing or against it; tell whether the copy lists as its original."""
    entries = list(source.iterdir())
    for entry in entries[::step]:
        target = copy / entry.name
        status = entry.lstat()
        if stat.S_ISDIR(status.st_mode):
            target.mkdir()
            if not _copy_folder(entry, target, step, shared):
                return False
        elif stat.S_ISREG(status.st_mode) and shared:
            target.hardlink_to(entry)
        elif stat.S_ISREG(status.st_mode):
            shutil.copyfile(entry, target)
            _set_mode_and_time(target, status)
        elif stat.S_ISLNK(status.st_mode):
            target.symlink_to(entry.readlink())
            _set_time(target, status)
        else:
            raise InputError(f"{entry} is neither a file, a directory nor a link")
    # Last: making an entry moves its directory's time.
    _set_mode_and_time(copy, source.lstat())
    return [entry.name for entry in copy.iterdir()] == [entry.name for entry in entries]


def _set_mode_and_time(path: Path, status: os.stat_result) -> None:
    path.chmod(stat.S_IMODE(status.st_mode))
    _set_time(path, status)


def _set_time(path: Path, status: os.stat_result) -> None:
    os.utime(path, ns=(status.st_mtime_ns, status.st_mtime_ns), follow_symlinks=False)
