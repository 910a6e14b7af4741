"""What the original server, its client library and the operating system do, and we survive."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from controlscope.errors import InfrastructureError, InputError
from controlscope.tools import MAX_ARGUMENT_BYTES, Observation
from executors.mcp.environment import McpEnvironment
from executors.mcp.server import filesystem_server
from tests.executors.mcp.workspaces import opened
from tests.processes import descendants, living, node_pid, nothing_left_running

pytestmark = pytest.mark.anyio

MB = 1_000_000
_PATHS = {"PYTHONPATH": str(Path(__file__).parents[3])}


async def _alive(environment: McpEnvironment) -> bool:
    answer = await environment.call("list_allowed_directories", {})
    return answer == Observation(
        "Allowed directories:\n/workspace", False, "Allowed directories:\n/workspace"
    )


async def test_a_lone_surrogate_is_refused_and_the_session_lives(tmp_path: Path) -> None:
    async with opened(tmp_path, {}) as environment:
        before = await environment.digest()
        answer = await environment.call("write_file", {"path": "a", "content": "x\ud800"})
        assert answer.is_error
        assert answer.text == (
            "MCP error -32602: Input validation error: Invalid arguments for tool write_file: "
            "a string argument holds a lone surrogate, which has no UTF-8 form"
        )
        assert await environment.digest() == before
        assert await _alive(environment)


async def test_a_reply_of_six_million_bytes_arrives_whole(tmp_path: Path) -> None:
    # The server sends a text twice, so half of it makes the reply line.
    content = b"0123456789abcdef" * (3 * MB // 16)
    async with opened(tmp_path, {"big": content}) as environment:
        with anyio.fail_after(10):
            answer = await environment.call("read_text_file", {"path": "big"})
        assert answer.text == content.decode()
        assert not answer.is_error


async def test_a_reply_of_twenty_million_bytes_is_an_error_and_the_session_lives(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, {"big": b"x" * (10 * MB), "huge": b"x" * (20 * MB)}) as environment:
        for name, size in (("big", 20 * MB), ("huge", 40 * MB)):
            with anyio.fail_after(10):
                answer = await environment.call("read_text_file", {"path": name})
            assert answer.is_error
            words = answer.text.split()
            assert answer.text == (f"reply of {words[2]} bytes exceeds the limit of 8388608 bytes")
            assert size < int(words[2]) < size + 200
            assert await _alive(environment)


async def test_content_at_the_limit_is_written_and_above_it_is_refused(tmp_path: Path) -> None:
    limit = MAX_ARGUMENT_BYTES - len("pathcontenta")
    async with opened(tmp_path, {}) as environment:
        written = await environment.call("write_file", {"path": "a", "content": "x" * limit})
        assert written.text == "Successfully wrote to a"
        refused = await environment.call("write_file", {"path": "a", "content": "y" * (limit + 1)})
        assert refused.is_error
        assert refused.text.endswith(
            f"{MAX_ARGUMENT_BYTES + 1} bytes of text; the limit is 4194304"
        )
        assert (tmp_path / "workspace" / "a").read_bytes() == b"x" * limit
        assert await _alive(environment)


async def test_twenty_concurrent_edits_of_one_file_all_land(tmp_path: Path) -> None:
    lines = "".join(f"line {number:02}\n" for number in range(20))
    async with opened(tmp_path, {"a": lines.encode()}) as environment:

        async def edit(number: int) -> None:
            edits = [{"oldText": f"line {number:02}", "newText": f"done {number:02}"}]
            assert not (await environment.call("edit_file", {"path": "a", "edits": edits})).is_error

        async with anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(edit, number)
        assert (tmp_path / "workspace" / "a").read_text() == lines.replace("line", "done")


async def test_ten_concurrent_moves_to_one_destination_lose_nothing(tmp_path: Path) -> None:
    files = {f"f{number}": str(number).encode() for number in range(10)}
    answers: list[Observation] = []
    async with opened(tmp_path, files) as environment:

        async def move(name: str) -> None:
            arguments = {"source": name, "destination": "one"}
            answers.append(await environment.call("move_file", arguments))

        async with anyio.create_task_group() as tasks:
            for name in files:
                tasks.start_soon(move, name)
        left = sorted(path.read_bytes() for path in (tmp_path / "workspace").iterdir())
    assert left == sorted(files.values())
    assert sorted(answer.is_error for answer in answers) == [False] + [True] * 9
    assert {answer.text for answer in answers if answer.is_error} == {
        "Destination already exists: /workspace/one"
    }


async def test_a_server_killed_in_a_call_is_mcp_lost_and_nothing_is_left_running(
    tmp_path: Path,
) -> None:
    with nothing_left_running():
        async with opened(tmp_path, {"a": b"a"}) as environment:
            pid = node_pid()
            os.kill(pid, signal.SIGSTOP)
            async with anyio.create_task_group() as tasks:

                async def kill() -> None:
                    await anyio.sleep(0.1)
                    os.kill(pid, signal.SIGKILL)

                tasks.start_soon(kill)
                with pytest.raises(InfrastructureError) as lost:
                    await environment.call("read_file", {"path": "a"})
            assert lost.value.kind == "mcp_lost"
            assert "Secure MCP Filesystem Server running on stdio" in lost.value.detail
            with pytest.raises(InfrastructureError, match="mcp_lost"):
                await environment.call("read_file", {"path": "a"})


def test_a_killed_controller_leaves_no_server(tmp_path: Path) -> None:
    script = tmp_path / "controller.py"
    script.write_text(
        "import anyio, pathlib, sys\n"
        "from tests.executors.mcp.workspaces import opened\n"
        "async def main():\n"
        "    async with opened(pathlib.Path(sys.argv[1]), {}):\n"
        "        print('open', flush=True)\n"
        "        await anyio.sleep_forever()\n"
        "anyio.run(main)\n"
    )
    command = [sys.executable, str(script), str(tmp_path / "run")]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root, env=_PATHS) as controller:
        assert controller.stdout is not None
        assert controller.stdout.readline() == b"open\n"
        below = descendants(controller.pid)
        # Stopped, it cannot leave by itself when its input ends.
        os.kill(node_pid(controller.pid), signal.SIGSTOP)
        controller.kill()
    deadline = time.monotonic() + 5
    while left := living(below):
        if time.monotonic() > deadline:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            pytest.fail(f"still running: {left} of {below}")
        time.sleep(0.01)


async def test_a_call_that_times_out_voids_the_run(tmp_path: Path) -> None:
    spec = replace(filesystem_server(), call_seconds=2.0)
    with nothing_left_running():
        async with opened(tmp_path, {}, spec) as environment:
            os.kill(node_pid(), signal.SIGSTOP)
            with pytest.raises(InfrastructureError, match=r"mcp_lost: write_file: .*timed out"):
                await environment.call("write_file", {"path": "a", "content": ""})
            os.kill(node_pid(), signal.SIGCONT)
            with pytest.raises(InfrastructureError, match=r"mcp_lost: write_file: .*timed out"):
                await environment.call("list_allowed_directories", {})


async def test_a_cancelled_call_voids_the_run(tmp_path: Path) -> None:
    async with opened(tmp_path, {}) as environment:
        os.kill(node_pid(), signal.SIGSTOP)
        with anyio.move_on_after(0.1) as scope:
            await environment.call("write_file", {"path": "a", "content": ""})
        assert scope.cancelled_caught
        os.kill(node_pid(), signal.SIGCONT)
        with pytest.raises(InfrastructureError, match="a call of write_file was given up"):
            await environment.call("list_allowed_directories", {})


async def test_a_cancelled_run_leaves_no_server(tmp_path: Path) -> None:
    with nothing_left_running():
        with anyio.move_on_after(1) as scope:
            async with opened(tmp_path, {}) as environment:
                assert await _alive(environment)
                os.kill(node_pid(), signal.SIGSTOP)
                await environment.call("list_allowed_directories", {})
        assert scope.cancelled_caught


async def test_an_error_of_the_run_leaves_no_server_and_comes_out_as_it_is(tmp_path: Path) -> None:
    async def fail() -> None:
        async with opened(tmp_path, {}):
            assert node_pid()
            raise InputError("of the run")

    with nothing_left_running(), pytest.raises(InputError, match="of the run"):
        await fail()


async def test_a_server_that_does_not_start_is_mcp_lost_with_what_it_said(tmp_path: Path) -> None:
    spec = filesystem_server()
    spec = replace(spec, command=(spec.command[0], "-e", "console.error('no luck')"))
    no_luck = pytest.raises(InfrastructureError, match=r"(?s)mcp_lost: .*last words: no luck")
    with nothing_left_running(), no_luck:
        await opened(tmp_path, {}, spec).__aenter__()


async def test_an_edit_turns_crlf_into_lf_and_a_write_keeps_it(tmp_path: Path) -> None:
    async with opened(tmp_path, {"a": b"one\r\ntwo\r\n"}) as environment:
        read = await environment.call("read_text_file", {"path": "a"})
        assert read.text == "one\r\ntwo\r\n"
        edits = [{"oldText": "one", "newText": "1"}]
        await environment.call("edit_file", {"path": "a", "edits": edits})
        assert (tmp_path / "workspace" / "a").read_bytes() == b"1\ntwo\n"
        await environment.call("write_file", {"path": "a", "content": "one\r\n"})
        assert (tmp_path / "workspace" / "a").read_bytes() == b"one\r\n"


async def test_bytes_that_are_not_utf_8_read_as_replacement_characters(tmp_path: Path) -> None:
    async with opened(tmp_path, {"a": b"caf\xe9\xff!"}) as environment:
        answer = await environment.call("read_text_file", {"path": "a"})
        assert answer == Observation("caf\ufffd\ufffd!", False, "caf\ufffd\ufffd!")


async def test_links_out_of_the_root_are_denied_and_inner_ones_are_followed(tmp_path: Path) -> None:
    outside = tmp_path / "secret"
    outside.write_text("secret")
    async with opened(tmp_path, {"inner": b"inner"}) as environment:
        workspace = tmp_path / "workspace"
        (workspace / "absolute").symlink_to(outside)
        (workspace / "relative").symlink_to("../secret")
        (workspace / "system").symlink_to("/server/node")
        (workspace / "near").symlink_to("inner")
        for name in ("absolute", "relative", "system", "../secret", str(outside)):
            answer = await environment.call("read_text_file", {"path": name})
            assert answer.is_error, name
            assert "secret" not in answer.text.replace(str(outside), "").replace("/secret", "")
        assert (await environment.call("read_text_file", {"path": "near"})).text == "inner"


async def test_a_move_keeps_the_shown_time_and_a_write_takes_the_instant(tmp_path: Path) -> None:
    async with opened(tmp_path, {"a": b"a", "b": b"b"}) as environment:
        await environment.call("move_file", {"source": "a", "destination": "moved"})
        await environment.call("write_file", {"path": "b", "content": "new"})
        moved = await environment.call("get_file_info", {"path": "moved"})
        written = await environment.call("get_file_info", {"path": "b"})
        assert "\nmodified: Sun Jun 15 2025 15:06:40 GMT+0000 " in moved.text
        assert "\nmodified: Thu Jan 01 2026 00:00:00 GMT+0000 " in written.text
