"""The living processes below one, as the kernel lists them."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


def descendants(pid: int | None = None) -> dict[int, str]:
    """Return the living processes below one (this one by default): pid to its command's name."""
    children: dict[int, list[tuple[int, str]]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        status = _status(int(folder.name))
        if status is not None:
            name, parent = status
            children.setdefault(parent, []).append((int(folder.name), name))
    found: dict[int, str] = {}
    waiting = [pid or os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found.update(below)
        waiting += [child for child, _ in below]
    return found


@contextmanager
def nothing_left_running() -> Iterator[Callable[[], set[int]]]:
    """Hold that what is started inside ends inside; give a function that names its processes.

    Engines that other tests of this process share may run before and after.
    """
    before = set(descendants())

    def started() -> set[int]:
        return set(descendants()) - before

    yield started
    assert started() == set()


def living(pids: Iterable[int]) -> set[int]:
    """Return those of some processes that run; one that is dead and not reaped yet does not."""
    return {pid for pid in pids if _status(pid) is not None}


def node_pid(pid: int | None = None) -> int:
    """Return the pid of the one Node process below one (this one by default)."""
    (found,) = [child for child, name in descendants(pid).items() if name in ("node", "MainThread")]
    return found


def _status(pid: int) -> tuple[str, int] | None:
    """Return the name and parent of a living process."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    head, _, tail = text.rpartition(")")
    state, parent, *_ = tail.split()
    return None if state == "Z" else (head.partition("(")[2], int(parent))
