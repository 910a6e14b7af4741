"""A workspace: the directory that is an environment's whole state, its copies and its digest."""

import hashlib
import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from controlscope.canonical import JsonObject
from controlscope.errors import InputError
from executors.mcp.frozen_clock import shown_time

__all__ = ["FileHashes", "first_second", "manifest", "prepare"]

FileHashes: TypeAlias = dict[str, tuple[tuple[int, int, int, int], str]]
"""Known contents: entry name to ((inode, size, mtime_ns, ctime_ns), SHA-256)."""

_BILLION = 1_000_000_000
_SETTLED_NS = 100_000_000


def prepare(initial: Path, workspace: Path) -> None:
    """Copy an environment's initial state into a new workspace.

    Contents and modification times are kept; permissions become 644 and 755, and entries are made
    in the order of their names, so that copies on one file system also list alike. Relative links
    that stay inside are kept; any other link or special file is an InputError, as is a workspace
    that exists already.
    """
    if not initial.is_dir():
        raise InputError(f"{initial} is not a directory: no environment to copy")
    root = initial.resolve()
    try:
        workspace.mkdir(parents=True)
    except FileExistsError:
        raise InputError(f"{workspace} exists already: name a new folder") from None
    made = [(workspace, root.stat())]
    for _, path, status in _entries(str(root)):
        origin = Path(path)
        copy = workspace / origin.relative_to(root)
        if stat.S_ISDIR(status.st_mode):
            copy.mkdir()
        elif stat.S_ISREG(status.st_mode):
            shutil.copyfile(origin, copy)
        elif stat.S_ISLNK(status.st_mode):
            copy.symlink_to(_inner_target(root, origin))
        else:
            raise InputError(f"{origin} is neither a file, a directory nor a link")
        made.append((copy, status))
    # Children before parents: making an entry moves its directory's time.
    for copy, status in reversed(made):
        if not stat.S_ISLNK(status.st_mode):
            copy.chmod(0o755 if stat.S_ISDIR(status.st_mode) else 0o644)
        os.utime(copy, ns=(status.st_mtime_ns, status.st_mtime_ns), follow_symlinks=False)


def first_second(workspace: Path) -> int:
    """Return the first whole second (since 1970) that can only be of a run's own write.

    That is the second after the newest entry's: it depends on the state, not on when the run
    starts. The server tells whole seconds only, so a run begins once that second has begun.
    InputError where an entry is dated after the present.
    """
    times = [(workspace.lstat().st_mtime_ns, ".")]
    times += [(status.st_mtime_ns, name) for name, _, status in _entries(str(workspace))]
    newest, name = max(times)
    if newest > time.time_ns():
        raise InputError(
            f"{name!r} in {workspace} is dated after the present: "
            "its time could not be told from the run's own writes"
        )
    return newest // _BILLION + 1


def manifest(workspace: Path, started: int, hashes: FileHashes | None = None) -> JsonObject:
    """Describe a workspace entry by entry, as shown under the frozen clock.

    Maps each entry's name, its path from the root (`.`) with `/`, to its `type` ("file",
    "directory", "link", "other") and `modified` (ISO 8601, whole seconds); a file has `size`
    (bytes) and `sha256` too, a link its `target`. Bytes that are not UTF-8 stand as lone
    surrogates. `hashes` is read and brought up to date: a file it knows unchanged is not read.
    """
    known: FileHashes = {}
    entries = {".": _entry("directory", workspace.lstat(), started)}
    for name, path, status in _entries(str(workspace)):
        if stat.S_ISREG(status.st_mode):
            key = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
            before = hashes.get(name) if hashes is not None else None
            sha256 = before[1] if before and before[0] == key else _sha256(Path(path))
            # File times move in ticks: a file this fresh could change again within its tick, and
            # its freed inode be used again, with nothing of the key to tell.
            if time.time_ns() - status.st_ctime_ns > _SETTLED_NS:
                known[name] = (key, sha256)
            entry = _entry("file", status, started)
            entries[name] = {**entry, "size": status.st_size, "sha256": sha256}
        elif stat.S_ISDIR(status.st_mode):
            entries[name] = _entry("directory", status, started)
        elif stat.S_ISLNK(status.st_mode):
            target = _text(os.fsencode(Path(path).readlink()))
            entries[name] = {**_entry("link", status, started), "target": target}
        else:
            entries[name] = _entry("other", status, started)
    if hashes is not None:
        hashes.clear()
        hashes.update(known)
    return entries


def _entry(kind: str, status: os.stat_result, started: int) -> JsonObject:
    modified = shown_time(status.st_mtime_ns // _BILLION, started)
    return {"type": kind, "modified": modified.isoformat()}


def _entries(folder: str, above: str = "") -> Iterator[tuple[str, str, os.stat_result]]:
    """Yield the name, path and status of every entry below a folder.

    Parents come first and siblings by the bytes of their names; links are not followed.
    """
    with os.scandir(folder) as found:
        children = sorted((os.fsencode(child.name), child) for child in found)
    for spelled, child in children:
        name = above + _text(spelled)
        status = child.stat(follow_symlinks=False)
        yield name, child.path, status
        if stat.S_ISDIR(status.st_mode):
            yield from _entries(child.path, f"{name}/")


def _inner_target(root: Path, link: Path) -> Path:
    """Return a link's target; InputError unless it is relative and leads to a place inside."""
    target = link.readlink()
    try:
        inside = (link.parent / target).resolve().is_relative_to(root)
    except RuntimeError:
        inside = False
    if target.is_absolute() or not inside:
        raise InputError(f"{link} is a link that leads nowhere inside the environment")
    return target


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _text(path: bytes) -> str:
    # Decoded by hand: Python's own decoding of names follows the locale.
    return path.decode("utf-8", "surrogateescape")
