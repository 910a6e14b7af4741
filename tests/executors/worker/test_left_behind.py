"""What a killed controller leaves on disk is gone with the next one's start; what lives stays."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from executors.worker.boxes import landlock

HOLDS = """
from executors.worker.boxes.landlock import guest_folder
print(guest_folder(), flush=True)
input()
"""


def _controller(folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", HOLDS],
        env={"TMPDIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_the_folder_of_a_killed_controller_is_removed_and_a_living_ones_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with _controller(tmp_path) as killed, _controller(tmp_path) as living:
        assert killed.stdout is not None
        assert living.stdout is not None
        left = Path(killed.stdout.readline().strip())
        kept = Path(living.stdout.readline().strip())
        killed.kill()
        killed.wait()
        assert left.is_dir()
        own = landlock.guest_folder.__wrapped__()
        assert not left.exists()
        assert (kept / "executors" / "worker" / "supervisor.py").exists()
        living.communicate("\n")
    assert list(tmp_path.iterdir()) == [own]
