"""The mini world's tasks, proved on the engine by solutions that no panel has ever seen."""

import os
import subprocess
from pathlib import Path

import pytest

from executors.appworld.engine import PYTHON

CHECK = Path(__file__).with_name("check_mini.py")
APPWORLD = PYTHON.parents[2]


@pytest.mark.long
def test_each_task_is_done_by_its_solution_and_not_by_an_empty_run_nor_with_a_stray_note() -> None:
    if not (APPWORLD / ".ready").exists():
        pytest.skip("AppWorld is not installed: make appworld")
    places = {"APPWORLD_CACHE": str(APPWORLD / "cache"), "APPWORLD_ROOT": str(APPWORLD / "mini")}
    done = subprocess.run(
        [PYTHON, "-W", "ignore", CHECK, APPWORLD / "mini"],
        env={**os.environ, **places},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "18 tasks, 0 cases wrong" in done.stdout
