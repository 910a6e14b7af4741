from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlscope.tasks import INSTANT
from controlscope.tools import Observation
from executors.mcp.frozen_clock import filesystem_clock, shown_time
from tests.executors.mcp.workspaces import opened

STARTED = 1_790_000_000
HEX = "0123456789abcdef" * 2
INFO = (
    "size: {size}\n"
    "created: Mon Nov 30 2026 22:37:37 GMT+0000 (Coordinated Universal Time)\n"
    "modified: {modified} GMT+0000 (Coordinated Universal Time)\n"
    "accessed: Mon Nov 30 2026 22:37:38 GMT+0000 (Coordinated Universal Time)\n"
    "isDirectory: {directory}\nisFile: {file}\npermissions: 644"
)
FROZEN = "Thu Jan 01 2026 00:00:00 GMT+0000 (Coordinated Universal Time)"


def _info(size: int, modified: str, directory: bool) -> str:
    text = str(directory).lower(), str(not directory).lower()
    return INFO.format(size=size, modified=modified, directory=text[0], file=text[1])


def test_created_and_accessed_are_the_instant_and_an_old_modified_stays() -> None:
    shown = filesystem_clock(
        "get_file_info", _info(12, "Sun Jun 15 2025 15:06:40", False), False, STARTED
    )
    assert shown == (
        f"size: 12\ncreated: {FROZEN}\n"
        "modified: Sun Jun 15 2025 15:06:40 GMT+0000 (Coordinated Universal Time)\n"
        f"accessed: {FROZEN}\nisDirectory: false\nisFile: true\npermissions: 644"
    )


def test_modified_is_the_instant_where_the_run_wrote() -> None:
    shown = filesystem_clock(
        "get_file_info", _info(12, "Mon Nov 30 2026 22:37:37", False), False, STARTED
    )
    assert f"\nmodified: {FROZEN}\n" in shown


def test_the_size_of_a_directory_is_fixed() -> None:
    raw = _info(20480, "Sun Jun 15 2025 15:06:40", True)
    assert filesystem_clock("get_file_info", raw, False, STARTED).startswith("size: 4096\n")


@given(st.datetimes(datetime(1971, 1, 1), datetime(2099, 1, 1)))  # noqa: DTZ001
def test_a_time_the_environment_set_is_shown_as_the_server_says_it(naive: datetime) -> None:
    time = naive.replace(tzinfo=UTC, microsecond=0)
    weekday, month, _, clock, _ = time.ctime().split()
    raw = _info(1, f"{weekday} {month} {time.day:02} {time.year} {clock}", False)
    shown = filesystem_clock("get_file_info", raw, False, int(time.timestamp()) + 1)
    assert shown.splitlines()[2] == raw.splitlines()[2]
    fixed = filesystem_clock("get_file_info", raw, False, int(time.timestamp()))
    assert fixed.splitlines()[2] == f"modified: {FROZEN}"


@given(st.integers(-(10**9), 4 * 10**9), st.integers(-(10**9), 4 * 10**9))
def test_exactly_the_times_since_the_start_are_the_instant(second: int, started: int) -> None:
    shown = shown_time(second, started)
    assert shown == (INSTANT if second >= started else datetime.fromtimestamp(second, UTC))


@pytest.mark.parametrize("tool", ["write_file", "edit_file"])
@pytest.mark.parametrize(
    "error",
    [
        "EISDIR: illegal operation on a directory, rename '/workspace/d.{}.tmp' -> '/workspace/d'",
        "ENAMETOOLONG: name too long, open '/workspace/it's long.{}.tmp'",
    ],
)
def test_the_random_name_of_a_temporary_file_is_zeros(tool: str, error: str) -> None:
    shown = filesystem_clock(tool, error.format(HEX), True, STARTED)
    assert shown == error.format("0" * 32)


@pytest.mark.parametrize(
    ("tool", "text", "is_error"),
    [
        ("read_text_file", _info(1, "Mon Nov 30 2026 22:37:37", True), False),
        ("get_file_info", _info(1, "Mon Nov 30 2026 22:37:37", True), True),
        ("get_file_info", _info(1, "Mon Nov 30 2026 22:37:37", True) + "\n", False),
        ("read_text_file", f"EISDIR: no, rename '/workspace/d.{HEX}.tmp' -> '/workspace/d'", True),
        ("write_file", f"Successfully wrote to d.{HEX}.tmp", False),
        ("write_file", f"ENOTDIR: not a directory, realpath '/workspace/d.{HEX}.tmp'", True),
        ("edit_file", f"Could not find exact match for edit:\nE: x, open 'd.{HEX}.tmp'", True),
    ],
)
def test_everything_else_is_shown_as_it_is(tool: str, text: str, is_error: bool) -> None:
    assert filesystem_clock(tool, text, is_error, STARTED) == text


@pytest.mark.anyio
async def test_a_file_that_imitates_an_answer_comes_back_untouched(tmp_path: Path) -> None:
    imitation = _info(4097, "Mon Nov 30 2026 22:37:37", True)
    error = f"EISDIR: illegal operation on a directory, rename '/a.{HEX}.tmp' -> '/a'"
    async with opened(tmp_path, {"a": imitation.encode(), "b": error.encode()}) as environment:
        assert (await environment.call("read_text_file", {"path": "a"})).text == imitation
        assert (await environment.call("read_text_file", {"path": "b"})).text == error
        edits = [{"oldText": error + "!", "newText": ""}]
        refused = await environment.call("edit_file", {"path": "b", "edits": edits})
        assert refused.text == f"Could not find exact match for edit:\n{error}!"


@pytest.mark.anyio
async def test_runs_at_different_times_are_shown_the_same(tmp_path: Path) -> None:
    calls = [
        ("write_file", {"path": "new", "content": "x"}),
        ("create_directory", {"path": "folder"}),
        ("write_file", {"path": "folder", "content": "x"}),
        *(("get_file_info", {"path": path}) for path in ("new", "folder", "old", ".")),
    ]
    answers: list[list[Observation]] = []
    digests: set[str] = set()
    for name in ("one", "two"):
        async with opened(tmp_path / name, {"old": b"old"}) as environment:
            answers.append([await environment.call(*call) for call in calls])
            digests.add(await environment.digest())
        await anyio.sleep(1.0)
    raw = [[answer.raw for answer in run] for run in answers]
    shown = [[(answer.text, answer.is_error) for answer in run] for run in answers]
    assert [a != b for a, b in zip(*raw, strict=True)] == [False, False] + [True] * 5
    assert shown[0] == shown[1]
    assert len(digests) == 1
