"""Where there is no bubblewrap: the tool server confined by Landlock, and a whole run so."""

import json
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executors.mcp import confinement
from executors.mcp.confinement import confined
from executors.mcp.server import filesystem_server
from executors.worker.boxes.landlock import LANDLOCK
from panels import origins
from tests.play import DONE, READ_A, play

HERE = Path(__file__).resolve()
PROGRAM = """\
print(fs.list_allowed_directories())
print(fs.directory_tree(path='/workspace'))
print(fs.search_files(path='/workspace', pattern='*.txt'))
fs.write_file(path='/workspace/said.txt', content='/workspace/a.txt stays as it is')
print(fs.read_multiple_files(paths=['/workspace/said.txt', '/workspace/a.txt']))
fs.move_file(source='/workspace/said.txt', destination='/workspace/moved.txt')
try:
    fs.read_text_file(path='/etc/passwd')
except ToolError as error:
    print(error)
try:
    fs.read_text_file(path='/workspace/none.txt')
except ToolError as error:
    print(error)
"""


@pytest.fixture(autouse=True)
def _by_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = LANDLOCK.probe()
    if problem is not None:
        pytest.skip(f"landlock does not work here: {problem}")
    monkeypatch.setattr(confinement, "means", lambda: "landlock")


def _inside(workspace: Path, code: str) -> Any:
    """Run JavaScript where the server would run; it prints one JSON document."""
    spec = filesystem_server()
    spec = replace(spec, command=(spec.command[0], "--input-type=module", "-e", code))
    command = confined(spec, workspace).command
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"SECRET": "x"})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_nothing_is_written_but_in_the_workspace_and_nothing_else_is_read(tmp_path: Path) -> None:
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    workspace.mkdir()
    outside.mkdir()
    (outside / "file").write_text("secret")
    read = [str(outside / "file"), str(HERE), "/etc/hostname", "/proc/self/environ"]
    write = [str(outside / "file"), str(outside / "new"), "/tmp/new", str(workspace / "new")]
    seen = _inside(
        workspace,
        f"""
        import fs from 'fs';
        const attempt = (act) => {{
            try {{ act(); return "done"; }} catch (error) {{ return error.code; }}
        }};
        console.log(JSON.stringify({{
            read: {json.dumps(read)}.map((path) => attempt(() => fs.readFileSync(path))),
            write: {json.dumps(write)}.map((path) => attempt(() => fs.writeFileSync(path, 'x'))),
            environment: Object.keys(process.env).sort(), here: process.cwd(),
        }}));
        """,
    )
    assert seen["read"] == ["EACCES"] * len(read)
    assert seen["write"] == ["EACCES", "EACCES", "EACCES", "done"]
    assert "SECRET" not in seen["environment"]
    assert seen["here"] == str(workspace)
    assert (outside / "file").read_text() == "secret"


def test_there_is_no_socket(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with socket.socket(socket.AF_UNIX) as local:
            local.bind(str(tmp_path / "socket"))
            local.listen()
            seen = _inside(
                tmp_path,
                f"""
                import net from 'net';
                const found = [];
                const attempt = (...where) => new Promise((done) => {{
                    const socket = net.connect(...where);
                    socket.on('connect', () => done('connected'));
                    socket.on('error', (error) => done(error.code));
                }});
                found.push(await attempt({port}, '127.0.0.1'));
                found.push(await attempt({json.dumps(str(tmp_path / "socket"))}));
                console.log(JSON.stringify(found)); process.exit(0);
                """,
            )
    assert seen == ["EPERM", "EPERM"]


def test_a_run_is_event_for_event_the_one_in_bubblewrap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origins, "chosen", lambda _: LANDLOCK)
    by_landlock, _ = play(tmp_path / "landlock", [READ_A + PROGRAM + DONE])
    monkeypatch.undo()
    in_bubblewrap, _ = play(tmp_path / "bubblewrap", [READ_A + PROGRAM + DONE])
    assert by_landlock.events == in_bubblewrap.events
    assert str(tmp_path) not in (by_landlock.folder / "events.jsonl").read_text()


def test_a_server_dies_with_its_controller(tmp_path: Path) -> None:
    spec = filesystem_server()
    code = "setInterval(() => {}, 1000); console.log('running');"
    command = confined(replace(spec, command=(spec.command[0], "-e", code)), tmp_path).command
    controller = f"import subprocess\nsubprocess.run({command!r})\n"
    with subprocess.Popen([sys.executable, "-c", controller], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"running\n"
        process.kill()
        # The pipe ends when the server, which holds it too, is gone.
        assert process.stdout.read() == b""
