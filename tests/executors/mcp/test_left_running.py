"""Whatever a tool server has started ends with it, on each means; told by listing processes."""

import json
import subprocess
import sys
import time
import uuid
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from executors import confinement
from executors.bubblewrap import bwrap_path
from executors.confinement import SYSTEM, Means, confined
from executors.mcp.server import ServerSpec, filesystem_server
from executors.mcp.transport import StdioServer
from executors.worker.boxes.landlock import LANDLOCK

STARTS = """
import os, signal, sys, time

def start(body):
    if os.fork() == 0:
        body()
        os._exit(0)

def sleep():
    time.sleep(600)

def leave():
    "As a daemon does: in a session of its own, and an orphan."
    os.setsid()
    start(sleep)

def deaf():
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    for descriptor in range(3):
        os.close(descriptor)
    sleep()

def stop():
    os.kill(os.getpid(), signal.SIGSTOP)

def run():
    "Never longer in one place than it takes to be seen."
    while True:
        if os.fork():
            os._exit(0)

for body in (sleep, leave, deaf, stop, run):
    start(body)
print("running", flush=True)
"""
WAITS = "sys.stdin.read()"
IS_DEAF = "time.sleep(600)"
CONTROLLER = """
import json, subprocess, sys
server = subprocess.Popen(json.load(sys.stdin), stdin=subprocess.PIPE)
server.wait()
"""


@pytest.fixture(params=["bubblewrap", "landlock"])
def means(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Means:
    """Let servers be confined by each means in turn."""
    chosen: Means = request.param
    if chosen == "bubblewrap":
        bwrap_path()
    elif (problem := LANDLOCK.probe()) is not None:
        pytest.skip(f"landlock does not work here: {problem}")
    monkeypatch.setattr(confinement, "means", lambda: chosen)
    return chosen


def _server(code: str, mark: str) -> ServerSpec:
    """Return a server that is Python code; its processes bear a mark on their command line."""
    python = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    seen = [path for path in (*SYSTEM, Path(sys.base_prefix)) if path.exists()]
    return replace(
        filesystem_server(),
        command=(str(python), "-S", "-c", code, mark),
        binds=tuple((path, str(path)) for path in seen),
    )


def _marked(mark: str) -> set[int]:
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (entry / "cmdline").read_bytes():
                found.add(int(entry.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def _gone(mark: str) -> bool:
    deadline = time.monotonic() + 10
    while _marked(mark):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    # What hops from process to process may be missed once.
    time.sleep(0.1)
    return not _marked(mark)


@pytest.mark.usefixtures("means")
@pytest.mark.parametrize("last", [WAITS, IS_DEAF])
def test_nothing_outlives_a_controller_that_is_killed(tmp_path: Path, last: str) -> None:
    mark = uuid.uuid4().hex
    command = confined(_server(STARTS + last, mark), tmp_path).command
    with subprocess.Popen(
        [sys.executable, "-c", CONTROLLER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as controller:
        assert controller.stdin is not None
        assert controller.stdout is not None
        controller.stdin.write(json.dumps(command).encode())
        controller.stdin.close()
        assert controller.stdout.readline() == b"running\n"
        assert len(_marked(mark)) >= 5
        controller.kill()
        controller.wait()
        assert _gone(mark)


@pytest.mark.anyio
@pytest.mark.usefixtures("means")
@pytest.mark.parametrize("last", [WAITS, IS_DEAF, "os._exit(3)", "os.abort()"])
async def test_nothing_outlives_the_transport(tmp_path: Path, last: str) -> None:
    mark = uuid.uuid4().hex
    server = StdioServer(confined(_server(STARTS + last, mark), tmp_path).command)
    async with server.transport():
        await anyio.sleep(0.3)
    assert _gone(mark)


@pytest.mark.anyio
@pytest.mark.usefixtures("means")
async def test_an_error_ends_a_server_at_once_with_all_that_it_started(tmp_path: Path) -> None:
    mark = uuid.uuid4().hex
    server = StdioServer(confined(_server(STARTS + IS_DEAF, mark), tmp_path).command)
    began = time.monotonic()
    with anyio.move_on_after(0.3):
        async with server.transport():
            await anyio.sleep_forever()
    assert time.monotonic() - began < 2
    assert _gone(mark)


@pytest.mark.usefixtures("means")
def test_a_server_that_starts_processes_runs_as_it_does_unconfined(tmp_path: Path) -> None:
    code = """
import os, signal, subprocess, sys, threading
thread = threading.Thread(target=lambda: print("a thread"))
thread.start()
thread.join()
print(subprocess.run("yes | head -1; exit 3", shell=True, capture_output=True))
session = subprocess.Popen(["sleep", "600"], start_new_session=True)
os.killpg(session.pid, signal.SIGTERM)
print(session.wait())
sys.stdout.flush()
os.kill(os.getpid(), signal.SIGUSR1)
"""
    command = confined(_server(code, ""), tmp_path).command
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == (
        "a thread\nCompletedProcess(args='yes | head -1; exit 3', returncode=3,"
        " stdout=b'y\\n', stderr=b'')\n-15\n"
    )
    assert done.returncode == 128 + 10
