"""The bench: that it measures, and how a figure is judged; never how fast this machine is."""

import json
import subprocess
import sys
from pathlib import Path

from panels.figures import Figure

CLI = Path(sys.executable).parent / "controlscope"


def test_a_goal_is_held_against_the_median() -> None:
    samples = (9.0, 1.0, 1.1)
    assert Figure("slow once", samples, goal=1.1).holds is True
    assert Figure("slow", samples, goal=1.0).holds is False
    assert Figure("without a goal", samples).holds is None


def test_every_figure_is_measured_as_often_as_asked_and_told_as_json() -> None:
    done = subprocess.run(
        [CLI, "bench", "--runs", "1", "--json"], capture_output=True, text=True, check=False
    )
    figures = json.loads(done.stdout)["figures"]
    assert {
        "a call by the controller / by the bare client",
        "a branch's warm server / a fresh server",
        "a fork at call 80 / a replay to it",
    } <= {figure["name"] for figure in figures}
    for figure in figures:
        assert figure["runs"] in (1, 20)
        assert 0 < figure["min"] <= figure["median"] == figure["value"] <= figure["max"]
    # A machine that is busy misses a goal, and that is no failure.
    assert done.returncode == 0
