"""Commands over a scripted endpoint, and small suites for them."""

import os
import subprocess
import sys
from pathlib import Path

from tests.play import DONE, VERIFY
from tests.reviewers.model_server import KEY, Exchange, Script, calls, says

CLI = Path(sys.executable).parent / "controlscope"


def plan_nothing_and_widen(exchange: Exchange) -> None:
    """Plan nothing; review with the widest operation that is offered."""
    offered = {tool["function"]["name"] for tool in exchange.asked["tools"]}
    if "run_python" in offered:
        reply = says("Done.")
    elif "replace_continuation" in offered:
        reply = calls(("replace_continuation", {"problem": "", "code": DONE}))
    else:
        reply = calls(("keep", {"problem": ""}))
    reply(exchange)


def write_tasks(suite: Path, count: int, program: str = "") -> None:
    """Write a suite of like tasks, each scored by whether done.txt is there."""
    for number in range(1, count + 1):
        task = suite / "small" / f"task{number}"
        (task / "environment").mkdir(parents=True)
        (task / "environment" / "a.txt").write_text(f"alpha {number}\n")
        (task / "environment" / "b.txt").write_text(f"beta {number}\n")
        (task / "task.toml").write_text("")
        (task / "instruction.md").write_text(f"Write done.txt, number {number}.\n")
        (task / "verify.py").write_text(VERIFY)
        if program:
            (task / "programs" / "p1").mkdir(parents=True)
            (task / "programs" / "p1" / "01.py").write_text(program)
    (suite / "suite.toml").write_text(
        '[suite]\nname = "small"\nproxy = "fs"\nseed = 1\n[environment]\nserver = "filesystem"\n'
    )


def started(script: Script, *arguments: object) -> subprocess.Popen[str]:
    """Start the command with an endpoint."""
    names = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": script.url, "NO_PROXY": "*"}
    return subprocess.Popen(
        [str(CLI), *map(str, arguments)],
        env=os.environ | names,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def command(script: Script, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command with an endpoint to its end."""
    process = started(script, *arguments)
    output, errors = process.communicate(timeout=120)
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)
