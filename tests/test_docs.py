"""What the documents tell a reader to type works."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks(path: Path) -> list[str]:
    return _BLOCK.findall(path.read_text(encoding="utf-8"))


def _mcpmark(folder: Path) -> None:
    """Write a checkout in MCPMark's form, as a reader of docs/suites.md would have one."""
    task = folder / "tasks" / "filesystem" / "standard" / "desktop" / "music_report"
    task.mkdir(parents=True)
    (task / "description.md").write_text("Write a report.\n")
    (task / "meta.json").write_text("{}")
    (task / "verify.py").write_text("raise SystemExit('no report')\n")
    environment = folder / "test_environments" / "desktop"
    environment.mkdir(parents=True)
    (environment / "song.txt").write_text("la\n")


def test_every_command_about_suites_runs(tmp_path: Path) -> None:
    _mcpmark(tmp_path / "mcpmark")
    blocks = _blocks(ROOT / "docs" / "suites.md")
    assert len(blocks) == 5
    done = subprocess.run(
        ["sh", "-eux", "-c", "\n".join(blocks)],
        cwd=tmp_path,
        env={"PATH": f"{Path(sys.executable).parent}:{os.defpath}", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for said in (
        "passed; finished, 2 calls, 0 reviews, 0 patched, 0 replaced",
        "failed: answer.txt is missing",
        "not done yet",
        "passed",
        "2 runs done; controlscope panel report runs/panel",
        "marks/desktop/music_report  P1",
        "failed: no report; finished, 1 calls, 0 reviews, 0 patched, 0 replaced",
    ):
        assert said in lines, done.stdout
    assert [line.split(";")[0] for line in lines if "2 calls" in line] == ["passed", "passed"]


@pytest.mark.parametrize(
    "path", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda path: path.name
)
def test_every_make_target_that_a_document_names_exists(path: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {name for block in _blocks(path) for name in re.findall(r"\bmake ([a-z]+)", block)}
    assert named <= targets
    if path.name == "README.md":
        assert {"demo", "test"} <= named
