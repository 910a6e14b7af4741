"""Where there is no bubblewrap: the tool server confined by Landlock, and a whole run so."""

import json
import os
import resource
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executors import confinement
from executors.confinement import confined
from executors.mcp.server import filesystem_server
from executors.worker.boxes.landlock import LANDLOCK
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


ATTEMPTS = """
import ctypes, errno, fcntl, os, resource, struct
native = ctypes.CDLL(None, use_errno=True)
def attempt(action):
    try:
        action()
    except OSError as error:
        print(errno.errorcode[error.errno])
    else:
        print("done")
def call(number, *given):
    if native.syscall(number, *given) < 0:
        raise OSError(ctypes.get_errno(), "refused")
"""


def _attempts(workspace: Path, *lines: str) -> list[str]:
    """Run each expression in a Python that serves tools; return how each ended."""
    code = ATTEMPTS + "".join(f"attempt(lambda: {line})\n" for line in lines)
    python = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
    library = Path(os.__file__).parent
    spec = replace(
        filesystem_server(), command=(python, "-S", "-c", code), binds=((library, str(library)),)
    )
    command = confined(spec, workspace).command
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_it_changes_no_attribute_of_a_file_outside(tmp_path: Path) -> None:
    workspace, file = tmp_path / "workspace", tmp_path / "file"
    workspace.mkdir()
    file.write_text("x")
    file.chmod(0o600)
    before = file.stat()
    path = str(file)
    found = _attempts(
        workspace,
        f"os.chmod({path!r}, 0o777)",
        f"os.utime({path!r}, (1, 1))",
        f"os.chown({path!r}, {os.getuid()}, {os.getgid()})",
        f"os.setxattr({path!r}, 'user.x', b'1')",
        f"os.truncate({path!r}, 0)",
        f"call(452, -100, {path.encode()!r}, 0o777, 0)",
        "open('own', 'w').close()",
    )
    assert set(found[:-1]) <= {"EPERM", "EACCES", "ENOSYS"}
    assert found[-1] == "done"
    after = file.stat()
    assert (after.st_mode, after.st_ctime_ns) == (before.st_mode, before.st_ctime_ns)
    assert os.listxattr(file) == []


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of x86_64")
def test_it_has_no_way_around_its_filter_and_no_hand_on_its_controller(tmp_path: Path) -> None:
    controller = os.getpid()
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    found = _attempts(
        tmp_path,
        # A ring opens sockets by itself, past any filter.
        "call(425, 4, bytes(120))",
        "call(101, 16, os.getppid(), 0, 0)",
        "call(272, 0x10000000)",
        f"os.kill({controller}, 0)",
        "os.kill(os.getppid(), 0)",
        # Memory that others share, by a number that anybody can guess.
        "call(30, 0, 0, 0)",
        "call(31, 0, 0, 0)",
        "fcntl.fcntl(open(os.__file__), 1024, 0)",
        f"os.setpriority(os.PRIO_PROCESS, {controller}, 19)",
        f"resource.prlimit({controller}, resource.RLIMIT_NOFILE, {limits!r})",
        f"fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, {controller})",
        "call(157, 1, 0, 0, 0, 0)",
    )
    assert found == ["EPERM"] * len(found)


def test_it_may_start_processes_of_its_own(tmp_path: Path) -> None:
    found = _attempts(tmp_path, "os.waitpid(os.fork() or os._exit(0), 0)")
    assert found == ["done"]


def test_a_path_is_told_as_from_the_workspace_in_any_spelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = ["/workspace/../etc/passwd", "/workspace/../x", "../x", "..", "../../../x", "/"]
    paths += ["//workspace/a.txt", "/./workspace/a.txt", "/x/../workspace/a.txt", "a.txt"]
    paths += ["b/../a.txt", "/workspace/b/../a.txt", "../workspace/a.txt", "/workspacex", "~/x"]
    program = f"""\
for path in {paths!r}:
    try:
        print(fs.read_text_file(path=path))
    except ToolError as error:
        print(error)
"""
    by_landlock, _ = play(tmp_path / "landlock", [program + DONE], worker="landlock")
    monkeypatch.undo()
    in_bubblewrap, _ = play(tmp_path / "bubblewrap", [program + DONE])
    assert by_landlock.events == in_bubblewrap.events
    assert str(tmp_path) not in (by_landlock.folder / "events.jsonl").read_text()


def test_a_run_is_event_for_event_the_one_in_bubblewrap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_landlock, _ = play(tmp_path / "landlock", [READ_A + PROGRAM + DONE], worker="landlock")
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
