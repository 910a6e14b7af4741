"""Any command as a server: what it can reach, and a server in a virtual environment of Python's."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controlscope.tasks import Server
from executors.confinement import confined
from executors.mcp.environment import open_environment
from executors.mcp.install import NODE
from executors.mcp.server import server_spec
from tests.executors.mcp.workspaces import build, entries_only

SERVER = """
import datetime
import os
from pathlib import Path
from mcp.server import MCPServer

server = MCPServer("lists")

@server.tool()
def append(item: str) -> str:
    with open("list.txt", "a") as file:
        file.write(item + "\\n")
    return f"{len(Path('list.txt').read_text().splitlines())} items"

@server.tool()
def evaluate(code: str) -> str:
    return str(eval(code))

server.run()
"""


def _inside(workspace: Path, server: Server, code: str) -> Any:
    """Run JavaScript as a suite's server would run; it prints one JSON document."""
    command = confined(server_spec(server), workspace).command
    done = subprocess.run([*command, "-e", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_command_writes_to_its_state_alone_and_sees_what_it_was_given(tmp_path: Path) -> None:
    workspace = build(tmp_path / "workspace", {"a": b""})
    given, secret = tmp_path / "given", tmp_path / "secret"
    for folder in (given, secret):
        build(folder, {"file": b"x"})
    server = Server(
        command=(str(NODE),),
        state="/data/state",
        readable=(NODE.parent, given),
        variables={"LIST": "/data/state/list", "TZ": "Asia/Tokyo"},
    )
    seen = _inside(
        workspace,
        server,
        f"""
        const fs = require('fs'), os = require('os');
        const places = ['{given}', '{NODE.parent}', '/usr', '/lib', '/bin', '/etc', '/tmp', '/',
                        '/data', '/data/state', '/proc', '{tmp_path}'];
        const written = places.filter((place) => {{
            try {{ fs.writeFileSync(place + '/probe', ''); return true; }} catch {{ return false; }}
        }});
        const outer = Object.values(os.networkInterfaces()).flat().filter((a) => !a.internal);
        console.log(JSON.stringify({{
            written, outer, here: process.cwd(), variables: process.env,
            given: fs.existsSync('{given}/file'), secret: fs.existsSync('{secret}'),
            home: fs.existsSync('/root') || fs.existsSync('/home'), shell: fs.existsSync('/bin/sh'),
            etc: fs.readdirSync('/etc').sort(),
        }}));
        """,
    )
    assert seen["written"] == ["/data/state"]
    assert (workspace / "probe").exists()
    assert (seen["given"], seen["secret"], seen["shell"]) == (True, False, True)
    assert seen["outer"] == []
    assert seen["here"] == "/data/state"
    assert (seen["variables"]["LIST"], seen["variables"]["TZ"]) == (
        "/data/state/list",
        "Asia/Tokyo",
    )
    assert set(seen["variables"]) == {"HOME", "LANG", "LC_ALL", "LIST", "PATH", "PWD", "TZ"}
    assert set(seen["etc"]) <= {"alternatives", "ld.so.cache"}


@pytest.mark.anyio
async def test_a_python_server_runs_from_its_virtual_environment(tmp_path: Path) -> None:
    script = tmp_path / "server" / "lists.py"
    build(script.parent, {"lists.py": SERVER.encode()})
    workspace = build(tmp_path / "workspace", {"list.txt": b"one\n"})
    interpreter = Path(sys.executable)
    server = Server(
        command=(str(interpreter), str(script)),
        readable=(Path(sys.prefix), Path(sys.base_prefix), script.parent),
        tools=frozenset({"append", "evaluate"}),
        program_parameters={"evaluate": frozenset({"code"})},
    )
    async with open_environment(server_spec(server), workspace, entries_only) as environment:
        before = await environment.digest()
        answer = await environment.call("append", {"item": "two"})
        assert (answer.text, answer.is_error) == ("2 items", False)
        assert await environment.digest() != before
        assert (workspace / "list.txt").read_text() == "one\ntwo\n"
        assert environment.tools["evaluate"].program_parameters == {"code"}
        assert (await environment.call("evaluate", {"code": "open('/x', 'w')"})).is_error


@pytest.mark.anyio
async def test_only_the_tools_that_are_allowed_can_be_called(tmp_path: Path) -> None:
    workspace = build(tmp_path / "workspace", {})
    spec = server_spec(Server(tools=frozenset({"list_directory", "unknown"})))
    async with open_environment(spec, workspace, entries_only) as environment:
        assert list(environment.tools) == ["list_directory"]
        refused = await environment.call("write_file", {"path": "a", "content": ""})
        assert (refused.text, refused.is_error) == (
            "MCP error -32602: Tool write_file not found",
            True,
        )
        assert list(workspace.iterdir()) == []
