"""The frozen clock: what a server said, with its run's own times and random names fixed."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from controlscope.tasks import INSTANT

__all__ = ["FrozenClock", "filesystem_clock", "shown_time"]

FrozenClock: TypeAlias = Callable[[str, str, bool, int], str]
"""Turns (tool, raw text, is_error, first second of the run) into the text that is shown."""

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DIRECTORY_SIZE = 4096

_DATE = (
    r"[A-Z][a-z]{2} [A-Z][a-z]{2} \d{2} \d{4} \d{2}:\d{2}:\d{2} "
    r"GMT\+0000 \(Coordinated Universal Time\)"
)
_FILE_INFO = re.compile(
    rf"size: (?P<size>\d+)\ncreated: {_DATE}\nmodified: (?P<modified>{_DATE})\naccessed: {_DATE}\n"
    r"(?P<rest>isDirectory: (?P<directory>true|false)\nisFile: (?:true|false)\n"
    r"permissions: [0-7]{3})"
)
# Only the system calls that the server makes on its own temporary file, never on a given path.
_TEMPORARY = re.compile(
    r"(E[A-Z0-9]+: [^\n']+, (?:open|rename) '.*\.)[0-9a-f]{32}(\.tmp'(?: -> '.*')?)", re.DOTALL
)


def shown_time(second: int, started: int) -> datetime:
    """Return a modification time as shown: the fixed instant where the run itself wrote.

    Both are whole seconds since 1970; a run's own writes are those at or after `started`.
    """
    return INSTANT if second >= started else _EPOCH + timedelta(seconds=second)


def filesystem_clock(tool: str, text: str, is_error: bool, started: int) -> str:
    """Show an answer of the filesystem server.

    Of get_file_info: created and accessed are the fixed instant, modified too where the run wrote
    it, and a directory's size, which its file system chose, is 4096. In the error of a write that
    failed on the server's temporary file, the random name is zeros. All else is left as it is.
    """
    if tool == "get_file_info" and not is_error:
        return _show_file_info(text, started)
    if tool in ("write_file", "edit_file") and is_error:
        failed = _TEMPORARY.fullmatch(text)
        return f"{failed[1]}{'0' * 32}{failed[2]}" if failed else text
    return text


def _show_file_info(text: str, started: int) -> str:
    info = _FILE_INFO.fullmatch(text)
    if info is None:
        return text
    size = _DIRECTORY_SIZE if info["directory"] == "true" else info["size"]
    modified = shown_time(_seconds(info["modified"]), started)
    instant = _server_date(INSTANT)
    return (
        f"size: {size}\ncreated: {instant}\nmodified: {_server_date(modified)}\n"
        f"accessed: {instant}\n{info['rest']}"
    )


# strftime and strptime name days and months by the locale; the server always names them so.
def _server_date(time: datetime) -> str:
    return (
        f"{_DAYS[time.weekday()]} {_MONTHS[time.month - 1]} {time.day:02} {time.year:04} "
        f"{time:%H:%M:%S} GMT+0000 (Coordinated Universal Time)"
    )


def _seconds(date: str) -> int:
    _, month, day, year, clock, *_ = date.split()
    hour, minute, second = map(int, clock.split(":"))
    time = datetime(int(year), _MONTHS.index(month) + 1, int(day), hour, minute, second, tzinfo=UTC)
    return (time - _EPOCH) // timedelta(seconds=1)
