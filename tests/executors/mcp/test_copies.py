"""A copy of a workspace is its original, for all that a server can tell, and apart from it."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controlscope.canonical import JsonObject
from controlscope.errors import InputError
from executors.mcp.copies import copy_state, empty
from executors.mcp.environment import open_environment
from executors.mcp.server import filesystem_server
from executors.mcp.server_pool import open_pool
from executors.mcp.workspace import manifest, prepare
from tests.executors.mcp.workspaces import PAST, build, entries_only

pytestmark = pytest.mark.anyio

FILES: Mapping[str, bytes] = {
    **{f"many/{number}.txt": b"%d" % number for number in range(60)},
    "deep/er/est/a.txt": b"a",
    "empty/": b"",
    "\N{SNOWMAN}.txt": b"snow",
}


def listing(folder: Path) -> dict[str, list[str]]:
    """Return how each folder below one lists."""
    return {
        os.fspath(path.relative_to(folder)): [child.name for child in path.iterdir()]
        for path in [folder, *folder.rglob("*")]
        if path.is_dir() and not path.is_symlink()
    }


def state(folder: Path) -> list[object]:
    times = {
        os.fspath(path.relative_to(folder)): (path.lstat().st_mtime_ns, path.lstat().st_mode)
        for path in [folder, *folder.rglob("*")]
    }
    return [manifest(folder, PAST + 1), times, listing(folder)]


@pytest.fixture(params=["disk", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A folder on two file systems, of which one lists the newest entry first."""
    if request.param == "disk":
        yield tmp_path
    else:
        with TemporaryDirectory(dir="/dev/shm") as memory:
            yield Path(memory)


@pytest.mark.parametrize("shared", [True, False])
def test_a_copy_has_its_originals_content_times_modes_links_and_order(
    folder: Path, shared: bool
) -> None:
    source = build(folder / "source", FILES)
    os.utime(source / "many" / "7.txt", ns=(1, 1_700_000_000_123_456_789))
    (source / "many" / "8.txt").chmod(0o600)
    (source / "link").symlink_to("many/8.txt")
    (source / "dangling").symlink_to("nowhere")
    Path(os.fsdecode(os.fsencode(source) + b"/\xff")).touch()
    os.utime(source, ns=(1, 1_700_000_000_987_654_321))
    copy = folder / "copy"
    copy.mkdir()
    before = state(source)
    assert copy_state(source, copy, shared=shared)
    assert state(copy) == before == state(source)
    same = (copy / "many" / "9.txt").stat().st_ino == (source / "many" / "9.txt").stat().st_ino
    assert same == shared
    empty(copy)
    assert list(copy.iterdir()) == []
    assert state(source) == before


def test_what_is_no_file_folder_or_link_is_not_copied(tmp_path: Path) -> None:
    source = build(tmp_path / "source", FILES)
    os.mkfifo(source / "pipe")
    (tmp_path / "copy").mkdir()
    with pytest.raises(InputError, match="pipe is neither a file"):
        copy_state(source, tmp_path / "copy", shared=True)


CHANGES: list[tuple[str, JsonObject]] = [
    ("write_file", {"path": "/workspace/many/1.txt", "content": "changed"}),
    ("write_file", {"path": "/workspace/many/new.txt", "content": "new"}),
    (
        "edit_file",
        {"path": "/workspace/many/2.txt", "edits": [{"oldText": "2", "newText": "two"}]},
    ),
    ("move_file", {"source": "/workspace/many/3.txt", "destination": "/workspace/3.txt"}),
    ("move_file", {"source": "/workspace/deep", "destination": "/workspace/empty/deep"}),
    ("create_directory", {"path": "/workspace/made"}),
]


async def test_no_change_through_a_server_reaches_the_original_or_another_branch(
    tmp_path: Path,
) -> None:
    prepare(build(tmp_path / "initial", FILES), tmp_path / "workspace")
    spec = filesystem_server()
    async with (
        open_environment(spec, tmp_path / "workspace", entries_only) as original,
        open_pool(spec, tmp_path / "pool") as pool,
    ):
        await original.call("write_file", {"path": "/workspace/own.txt", "content": "own"})
        before = state(tmp_path / "workspace")
        files = await original.files()
        async with pool.branch(tmp_path / "workspace", original.started, entries_only) as other:
            async with pool.branch(tmp_path / "workspace", original.started, entries_only) as one:
                for tool, arguments in CHANGES:
                    made = await one.environment.call(tool, arguments)
                    assert not made.is_error, made.text
                assert (await one.environment.files())["many/1.txt"]["size"] == 7
                assert await one.environment.digest() != await original.digest()
            assert await other.environment.files() == files == await original.files()
            info = await other.environment.call("get_file_info", {"path": "/workspace/own.txt"})
            assert info.text.count("2026") == 3
        assert state(tmp_path / "workspace") == before
        # The next branch is served by a server that is warm, and finds nothing of the last one.
        assert len(list((tmp_path / "pool").iterdir())) == 2
        async with pool.branch(tmp_path / "workspace", original.started, entries_only) as next_one:
            assert await next_one.environment.files() == files
            assert await next_one.environment.digest() == await original.digest()
        assert len(list((tmp_path / "pool").iterdir())) == 2
