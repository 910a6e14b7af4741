"""A program forges a whole pause: the run takes it as a call, and goes on after the violation."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.executors.worker.test_losses import FORGE
from tests.play import DONE, READ_A, play

CLI = Path(sys.executable).parent / "controlscope"
PATH = "{'path': '/workspace/a.txt'}"
# The supervisor passes one message on for each command: the answer has to come before the next.
SEND = """
import time
pause = {"seq": 1, "kind": "paused", "tool": "read_text_file", "arguments": ARGUMENTS,
    "position": [0, 0, 2147483647, 0], "block": BLOCK, "module": {"fs": 1, "\\x1b[2J": "\\x1b]0;x"},
    "unexposed": ["\\ud800", "\\x1b[2J", "a b"], "printed": "\\x1b[2J",
    "unknown": 0, "positional": 0}
send(pause)
time.sleep(0.5)
"""


@pytest.mark.parametrize(
    ("arguments", "block"),
    [
        (PATH, "{'\\ud800': 1, '__class__': 2, '': 3, 'a\\n## b': 4}"),
        ("{'path': 10**4200}", "{'i': 10**4200, 'f': 1e308, 'z': -0.0}"),
        ("{'path': '\\ud800', '\\udfff': 1, '_meta': {'progressToken': 1}}", "{}"),
    ],
)
def test_a_forged_pause_is_a_call_and_what_follows_it_a_violation(
    tmp_path: Path, arguments: str, block: str
) -> None:
    forged = FORGE + SEND.replace("ARGUMENTS", arguments).replace("BLOCK", block) + READ_A
    run, row = play(tmp_path, [forged, DONE])
    assert (row["success"], row["ending"], row["calls"]) == (True, "finished", 2)
    (lost,) = run.of_kind("worker_lost")
    assert lost["error"] == "protocol_violation"
    show = [str(CLI), "show", str(run.folder), "--boundary", "0"]
    assert b"\x1b" not in subprocess.run(show, capture_output=True, check=True).stdout
