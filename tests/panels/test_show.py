"""What a person is shown of a run, in any terminal and of any program."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from controlscope.errors import InputError
from controlscope.run_log import Run, read_run
from panels import show
from tests.play import DONE, READ_A, play

CLI = str(Path(sys.executable).parent / "controlscope")


def screen(run: Run, boundary: int | None = None, width: int = 80) -> str:
    out = io.StringIO()
    shown = show.overview(run) if boundary is None else show.boundary(run, boundary)
    Console(file=out, width=width, color_system=None).print(shown)
    return out.getvalue()


def test_the_overview_holds_each_call_its_decision_and_what_it_returned(tmp_path: Path) -> None:
    patch = {"boundary": 0, "operation": "patch", "arguments": {"path": "/workspace/b.txt"}}
    run, _ = play(tmp_path, [READ_A + DONE], scope="arg", decisions=[patch])
    lines = screen(run).splitlines()
    first, second = (line for line in lines if line.strip()[:1] in {"0", "1"})
    assert "read_text_file" in first
    assert "patch" in first
    assert "beta" in first
    assert "write_file" in second
    assert "keep" in second
    assert lines[-1].startswith("scored: passed")


def test_a_boundary_shows_the_change_as_a_diff_and_what_followed(tmp_path: Path) -> None:
    replace = {"boundary": 1, "operation": "replace", "code": "x = 1\n" + DONE}
    run, _ = play(tmp_path, [READ_A + READ_A + DONE], scope="full", decisions=[replace])
    text = screen(run, 1)
    assert "decision: replace (granted scope full)" in text
    assert f"-{READ_A.strip()}" in text
    assert "+x = 1" in text
    assert "call 1: write_file" in text


def test_control_characters_and_lone_surrogates_are_shown_as_escapes(tmp_path: Path) -> None:
    program = (
        "name = '\\x1b[2Jfile\\ud800'\n"
        "print('\\x1b[31mred')\n"
        "try:\n"
        "    fs.read_text_file(path=name)\n"
        "except ToolError:\n"
        f"    {DONE.strip()}\n"
    )
    run, row = play(tmp_path, [program])
    assert row["success"]
    for text in (screen(run, width=200), screen(run, 0, width=200)):
        assert "\x1b" not in text
        assert "[2Jfile\\ud800" in text.replace("\n", "")
        text.encode()
    environment = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"}
    for arguments in (["--json"], ["--boundary", "0"], []):
        done = subprocess.run(
            [CLI, "show", str(run.folder), *arguments],
            capture_output=True,
            env=environment,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        if arguments == ["--json"]:
            assert json.loads(done.stdout)["task"] == "small/task"


@pytest.mark.parametrize("key", ["pending", "index"])
def test_an_altered_event_is_named_and_no_crash(tmp_path: Path, key: str) -> None:
    run, _ = play(tmp_path, [READ_A + DONE])
    events = run.folder / "events.jsonl"
    events.write_text(events.read_text().replace(f'"{key}":', f'"other_{key}":'))
    with pytest.raises(InputError, match=f"an event has no {key}"):
        screen(read_run(run.folder))


def test_a_boundary_that_is_not_there_is_named_with_how_many_there_are(tmp_path: Path) -> None:
    run, _ = play(tmp_path, [READ_A + DONE])
    with pytest.raises(InputError, match="no boundary 9: it has 2, from 0"):
        screen(run, 9)


def test_long_runs_are_shown_by_reading_each_event_once(tmp_path: Path) -> None:
    read = "fs.read_text_file(path='/workspace/a.txt')"
    program = f"texts = []\nfor n in range(60):\n    texts.append({read})\n"
    run, _ = play(tmp_path, [program], files={"a.txt": "x" * 6000})
    reads: list[str] = []
    counting = Counting(run.folder, run.header, run.events)
    Counting.reads = reads
    screen(counting)
    assert len(reads) <= 2 * 60


class Counting(Run):
    """A run that counts the blobs that are read."""

    reads: list[str]

    def _blob(self, name: str) -> object:
        self.reads.append(name)
        return super()._blob(name)
