import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlscope.canonical import JsonObject, digest, digest_bytes
from controlscope.errors import InputError
from controlscope.roles import Environment, Score
from controlscope.tools import Observation
from executors.mcp.environment import open_environment
from executors.mcp.server import filesystem_server
from tests.executors.mcp.workspaces import PAST, build, entries_only, opened

READS = {
    "directory_tree",
    "get_file_info",
    "list_allowed_directories",
    "list_directory",
    "list_directory_with_sizes",
    "read_file",
    "read_media_file",
    "read_multiple_files",
    "read_text_file",
    "search_files",
}
WRITES = {"create_directory", "edit_file", "move_file", "write_file"}


@pytest.mark.anyio
async def test_the_fourteen_tools_are_there_with_the_servers_own_annotations(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, {}) as environment:
        checked: Environment = environment
        assert {name for name, tool in checked.tools.items() if tool.read_only} == READS
        assert {name for name, tool in checked.tools.items() if not tool.read_only} == WRITES
        assert all(tool.name == name for name, tool in checked.tools.items())
        assert all(tool.description for tool in checked.tools.values())
        assert checked.tools["move_file"].input_schema["required"] == ["source", "destination"]
        assert not any(tool.program_parameters for tool in checked.tools.values())


@pytest.mark.anyio
async def test_parameters_that_encode_programs_are_named_by_tool(tmp_path: Path) -> None:
    workspace = build(tmp_path / "workspace", {})
    spec = replace(filesystem_server(), program_parameters={"write_file": frozenset({"content"})})
    async with open_environment(spec, workspace, entries_only) as environment:
        assert environment.tools["write_file"].program_parameters == {"content"}
        assert environment.tools["edit_file"].program_parameters == frozenset()


@pytest.mark.anyio
async def test_read_file_is_the_old_name_of_read_text_file(tmp_path: Path) -> None:
    async with opened(tmp_path, {"a": b"one\ntwo\nthree\n"}) as environment:
        for arguments in ({"path": "a"}, {"path": "a", "head": 2}, {"path": "b"}):
            old = await environment.call("read_file", arguments)
            assert old == await environment.call("read_text_file", arguments)


@pytest.mark.anyio
async def test_a_call_that_cannot_be_sent_is_answered_as_the_server_would(tmp_path: Path) -> None:
    invalid = "Input validation error: Invalid arguments for tool"
    cases: list[tuple[str, JsonObject, str]] = [
        ("copy_file", {}, "Tool copy_file not found"),
        (
            "read_file",
            {"file_path": "a"},
            f"{invalid} read_file: unknown argument 'file_path'; read_file takes path, tail, head",
        ),
        (
            "read_multiple_files",
            {"paths": []},
            f"{invalid} read_multiple_files: paths: [] should be non-empty",
        ),
    ]
    async with opened(tmp_path, {}) as environment:
        for tool, arguments, problem in cases:
            text = f"MCP error -32602: {problem}"
            assert await environment.call(tool, arguments) == Observation(text, True, text)


@pytest.mark.anyio
async def test_an_error_of_a_tool_is_an_observation(tmp_path: Path) -> None:
    async with opened(tmp_path, {"d/": b""}) as environment:
        answer = await environment.call("read_text_file", {"path": "d"})
        text = "EISDIR: illegal operation on a directory, read"
        assert answer == Observation(text, True, text)


@pytest.mark.anyio
async def test_parts_that_are_no_text_become_a_line_of_json(tmp_path: Path) -> None:
    files = {"a.png": b"picture", "a.wav": b"sound", "a.bin": b"bytes"}
    async with opened(tmp_path, files) as environment:
        texts = [(await environment.call("read_media_file", {"path": name})).text for name in files]
    hashes = [digest_bytes(content) for content in files.values()]
    assert texts == [
        f'{{"mimeType":"image/png","sha256":"{hashes[0]}","size":7,"type":"image"}}',
        f'{{"mimeType":"audio/wav","sha256":"{hashes[1]}","size":5,"type":"audio"}}',
        (
            f'{{"mimeType":"application/octet-stream","sha256":"{hashes[2]}","size":5,'
            '"type":"resource","uri":"file:///workspace/a.bin"}'
        ),
    ]


@pytest.mark.anyio
async def test_the_digest_follows_writes_and_stands_through_reads(tmp_path: Path) -> None:
    async with opened(tmp_path, {"a": b"a"}) as environment:
        first = await environment.digest()
        assert first == digest(await environment.files())
        await environment.call("write_file", {"path": "b", "content": "b"})
        second = await environment.digest()
        assert second == digest(await environment.files())
        assert second != first
        # Behind the server's back: a read-only call is no reason to look again.
        (tmp_path / "workspace" / "c").write_text("c")
        await environment.call("read_text_file", {"path": "a"})
        await environment.call("write_file", {"path": "b"})
        assert await environment.digest() == second
        assert "c" in await environment.files()
        await environment.call("create_directory", {"path": "d"})
        assert await environment.digest() == digest(await environment.files()) != second


@pytest.mark.anyio
async def test_the_score_judges_the_workspace_as_it_is(tmp_path: Path) -> None:
    async with opened(tmp_path, {}) as environment:
        assert await environment.score() == Score(False, "0 entries")
        await environment.call("write_file", {"path": "a", "content": ""})
        assert await environment.score() == Score(True, "1 entries")


@pytest.mark.anyio
async def test_a_workspace_dated_after_the_present_is_not_opened(tmp_path: Path) -> None:
    workspace = build(tmp_path / "workspace", {"a": b""})
    os.utime(workspace / "a", (2 * PAST, 2 * PAST))
    opening = open_environment(filesystem_server(), workspace, entries_only)
    with pytest.raises(InputError, match=r"'a' .* is dated after the present"):
        await opening.__aenter__()


@pytest.mark.anyio
async def test_a_run_on_files_made_this_second_tells_its_own_writes_from_them(
    tmp_path: Path,
) -> None:
    workspace = build(tmp_path / "workspace", {})
    (workspace / "made").write_text("just now")
    made = int((workspace / "made").stat().st_mtime)
    async with open_environment(filesystem_server(), workspace, entries_only) as environment:
        await environment.call("write_file", {"path": "written", "content": ""})
        old = await environment.call("get_file_info", {"path": "made"})
        new = await environment.call("get_file_info", {"path": "written"})
    assert int((workspace / "written").stat().st_mtime) > made
    assert old.text.splitlines()[2] == old.raw.splitlines()[2]
    assert new.text.splitlines()[2].startswith("modified: Thu Jan 01 2026 00:00:00 GMT+0000")


FILES = {"a": b"one\r\ntwo\n", "b": b"\xff\xfe", "d/c": "é".encode(), "d/e/": b"", "f/g": b""}
_PATH = st.sampled_from(["a", "b", "d", "d/c", "d/e", "d/e/new", "f/g", "no/h", "..", "A", "."])
_TEXT = st.sampled_from(["", "one", "two\r\n", "é", "\ud800", "x" * 5000])
_EDIT = st.fixed_dictionaries({"oldText": st.sampled_from(["one", "two", "q"]), "newText": _TEXT})


def _calls(tool: str, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(st.just(tool), st.fixed_dictionaries(arguments))


_CALL = st.one_of(
    _calls("read_text_file", path=_PATH),
    _calls("read_media_file", path=_PATH),
    _calls("read_multiple_files", paths=st.lists(_PATH, max_size=3)),
    _calls("write_file", path=_PATH, content=_TEXT),
    _calls("edit_file", path=_PATH, edits=st.lists(_EDIT, max_size=2), dryRun=st.booleans()),
    _calls("create_directory", path=_PATH),
    _calls("list_directory", path=_PATH),
    _calls("list_directory_with_sizes", path=_PATH, sortBy=st.sampled_from(["name", "size"])),
    _calls("directory_tree", path=_PATH),
    _calls("move_file", source=_PATH, destination=_PATH),
    _calls("search_files", path=_PATH, pattern=st.sampled_from(["**/*", "*", "[", "**/c"])),
    _calls("get_file_info", path=_PATH),
    _calls("unknown_tool"),
)


@settings(max_examples=4, deadline=None, derandomize=True)
@given(calls=st.lists(_CALL, min_size=20, max_size=80))
def test_two_copies_of_a_workspace_show_the_same_for_the_same_calls(
    calls: list[tuple[str, JsonObject]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("copies")

    async def run(name: str) -> list[tuple[str, bool, str]]:
        shown = []
        async with opened(folder / name, FILES) as environment:
            for tool, arguments in calls:
                answer = await environment.call(tool, arguments)
                shown.append((answer.text, answer.is_error, await environment.digest()))
            assert digest(await environment.files()) == shown[-1][2]
        return shown

    assert anyio.run(run, "one") == anyio.run(run, "two")
