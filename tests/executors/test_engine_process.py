"""Engines' processes, played by small scripts: what they may do, how they end, what is told."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest

from controlscope.errors import InfrastructureError
from executors import confinement
from executors.confinement import SYSTEM
from executors.engine_process import EngineProcess, EngineSpec
from executors.worker.boxes.choosing import MAKERS
from tests.processes import descendants, nothing_left_running

pytestmark = pytest.mark.anyio

HEAD = """
import json, os, socket, sys
channel = socket.socket(fileno=int(sys.argv[-1]))
def say(value): channel.sendall(json.dumps(value).encode() + b"\\n")
def hear(): return json.loads(channel.makefile().readline())
"""


@pytest.fixture(params=["bubblewrap", "landlock"])
def means(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> confinement.Means:
    """Let an engine be confined by each means that works here."""
    name: confinement.Means = request.param
    problem = MAKERS[name].probe()
    if problem is not None:
        pytest.skip(f"{name} does not work here: {problem}")
    monkeypatch.setattr(confinement, "means", lambda: name)
    return name


def an_engine(code: str) -> EngineProcess:
    """Start a process that runs this code after the head of its kind."""
    seen = [*(path for path in SYSTEM if path.exists()), Path(sys.base_prefix)]
    spec = EngineSpec(
        command=(os.path.realpath(sys.executable), "-B", "-c", HEAD + dedent(code)),
        binds=tuple((path, str(path)) for path in seen),
        state="/engine",
    )
    return EngineProcess.start(spec)


async def test_it_is_asked_one_thing_after_another(means: confinement.Means) -> None:
    with an_engine("while True: say({'heard': hear()})") as engine:
        for number in range(3):
            assert await engine.ask({"number": number}, 10) == {"heard": {"number": number}}


async def test_it_reaches_no_network_and_no_file_but_its_own_folder_s(
    means: confinement.Means, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret")
    code = f"""
        done = {{}}
        def tried(name, action):
            try:
                action()
                done[name] = "done"
            except OSError:
                done[name] = "refused"
        def connect():
            socket.socket().connect(("127.0.0.1", 9))
        tried("own", lambda: open("note", "w").write("x"))
        tried("read", lambda: open({str(tmp_path / "secret")!r}).read())
        tried("project", lambda: os.listdir({str(Path(__file__).parent)!r}))
        tried("write", lambda: open("/usr/note", "w"))
        tried("network", connect)
        done["secret"] = "CONTROLSCOPE_SECRET" in os.environ
        say(done)
    """
    os.environ["CONTROLSCOPE_SECRET"] = "x"
    try:
        with an_engine(code) as engine:
            found = await engine.answer(10)
    finally:
        del os.environ["CONTROLSCOPE_SECRET"]
    refused = dict.fromkeys(("read", "project", "write", "network"), "refused")
    assert found == {"own": "done", **refused, "secret": False}


async def test_one_that_is_late_is_ended(means: confinement.Means) -> None:
    with nothing_left_running():
        engine = an_engine("import time\nsay({})\ntime.sleep(100)")
        await engine.answer(10)
        with pytest.raises(InfrastructureError, match=r"environment_lost: .* within 0.2 seconds"):
            await engine.ask({}, 0.2)


async def test_one_that_answers_with_anything_else_than_json_is_ended(
    means: confinement.Means,
) -> None:
    with nothing_left_running():
        engine = an_engine("channel.sendall(b'ready\\n')\nimport time\ntime.sleep(100)")
        with pytest.raises(InfrastructureError, match=r"environment_lost: .* with no JSON"):
            await engine.answer(10)


async def test_one_that_fails_tells_its_last_words(means: confinement.Means) -> None:
    engine = an_engine("raise ValueError('no such game')")
    with pytest.raises(InfrastructureError, match=r"last words: (.|\n)*no such game"):
        await engine.answer(10)


async def test_a_copy_answers_for_itself_and_ends_with_its_socket(means: confinement.Means) -> None:
    code = """
        state = 0
        while True:
            data, passed, _, _ = socket.recv_fds(channel, 1000, 1)
            if not data:
                break
            if passed and os.fork() == 0:
                channel = socket.socket(fileno=passed[0])
                say({"forked": True})
            elif passed:
                os.close(passed[0])
            else:
                state += json.loads(data)["add"]
                say({"state": state})
    """
    with an_engine(code) as engine:
        assert await engine.ask({"add": 1}, 10) == {"state": 1}
        alone = len(descendants())
        with await engine.copied(10) as copy:
            assert await copy.ask({"add": 10}, 10) == {"state": 11}
            assert await engine.ask({"add": 100}, 10) == {"state": 101}
            assert await copy.ask({"add": 10}, 10) == {"state": 21}
        limit = time.monotonic() + 10
        while len(descendants()) > alone and time.monotonic() < limit:
            time.sleep(0.01)
        assert len(descendants()) == alone


def test_none_outlives_a_controller_that_is_killed(
    means: confinement.Means, tmp_path: Path
) -> None:
    code = f"""
        import time
        from pathlib import Path
        from executors import confinement
        confinement.means = lambda: {means!r}
        from tests.executors.test_engine_process import an_engine
        engine = an_engine("say({{}})\\nwhile True: hear()")
        time.sleep(0.5)
        print("up", flush=True)
        time.sleep(100)
    """
    controller = subprocess.Popen(
        [sys.executable, "-c", dedent(code)], stdout=subprocess.PIPE, text=True
    )
    assert controller.stdout is not None
    with controller:
        assert controller.stdout.readline() == "up\n"
        below = set(descendants(controller.pid))
        assert below
        controller.send_signal(signal.SIGKILL)
        controller.wait()
        limit = time.monotonic() + 10
        while any(_lives(pid) for pid in below) and time.monotonic() < limit:
            time.sleep(0.01)
        assert not [pid for pid in below if _lives(pid)]


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
