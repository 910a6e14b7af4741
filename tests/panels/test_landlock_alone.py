"""A machine with neither bubblewrap nor a Docker engine: Landlock alone carries a whole run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from executors.worker.boxes.landlock import LANDLOCK

CLI = Path(sys.executable).parent / "controlscope"
# In a user namespace of its own, a process can forbid itself every further one.
WITHOUT = "echo 0 > /proc/sys/user/max_user_namespaces && export DOCKER_HOST=unix:///nowhere && "
RUN = "filesystem/file_context/file_splitting --scope full --json --out"


def _shell(script: str) -> "subprocess.CompletedProcess[str]":
    command = ["unshare", "--user", "--map-root-user", "sh", "-c", WITHOUT + script]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(autouse=True)
def _there_is_a_way() -> None:
    if (problem := LANDLOCK.probe()) is not None:
        pytest.skip(f"landlock does not work here: {problem}")
    if (tried := _shell("true")).returncode != 0:
        pytest.skip(f"no user namespace to try it in: {tried.stderr}")


def test_a_run_is_the_same_to_the_byte_and_says_what_carried_it(tmp_path: Path) -> None:
    alone = _shell(f"{CLI} run {RUN} {tmp_path}/alone")
    assert alone.returncode == 0, alone.stderr
    usual = subprocess.run(
        [CLI, "run", *RUN.split(), str(tmp_path / "usual")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(alone.stdout) == json.loads(usual.stdout)
    events = [(tmp_path / name / "events.jsonl").read_bytes() for name in ("alone", "usual")]
    assert events[0] == events[1]
    header = json.loads((tmp_path / "alone" / "run.json").read_text())
    assert (header["back_end"], header["tool_server"]) == ("landlock", "landlock")


def test_what_is_named_and_does_not_work_is_refused_with_what_to_do(tmp_path: Path) -> None:
    for name in ("bubblewrap", "docker"):
        done = _shell(f"{CLI} run {RUN} {tmp_path}/run --worker {name}")
        assert done.returncode == 3
        assert len(done.stderr.splitlines()) == 1
        assert f"{name}: " in done.stderr
        assert "install" in done.stderr
    assert not (tmp_path / "run").exists()
