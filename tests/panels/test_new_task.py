import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from controlscope.errors import InputError
from controlscope.roles import Score
from panels import scripts
from panels.new_task import new_suite
from panels.suite import find_task, load_suite

CLI = Path(sys.executable).parent / "controlscope"


def _command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [CLI, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


def test_a_new_suite_runs_and_passes_by_the_command_it_prints(tmp_path: Path) -> None:
    made = _command(tmp_path, "tasks", "new", "My Tasks")
    assert made.stdout == "controlscope run My Tasks/example/first --out RUN\n"
    suite = load_suite(tmp_path / "My Tasks")
    assert (suite.name, list(suite.tasks)) == ("my-tasks", ["example/first"])
    done = _command(tmp_path, "run", "My Tasks/example/first", "--out", "RUN")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("passed; finished, 2 calls")


def test_what_a_new_suite_asks_is_judged_both_ways(tmp_path: Path) -> None:
    new_suite(tmp_path / "mine")
    _, task = find_task(f"{tmp_path}/mine/example/first")
    initial, final = tmp_path / "initial", tmp_path / "final"
    for folder in (initial, final):
        anyio.run(scripts.build, task, folder)
    for content, verdict in (
        ("", Score(success=False, message="answer.txt is missing")),
        ("The river.\n", Score(success=False, message="answer.txt is not note.txt in upper case")),
        ("THE RIVER IS HIGH TODAY.\n", Score(success=True, message="answer.txt is right")),
    ):
        if content:
            (final / "answer.txt").write_text(content)
        assert anyio.run(scripts.score, task, final, initial) == verdict


@pytest.mark.parametrize(
    ("folder", "name"),
    [("a", "a"), ("Ärger 2", "rger-2"), ("7", "s-7"), ("...", "s-"), ("_x", "s-_x")],
)
def test_any_folder_gives_its_suite_a_name(tmp_path: Path, folder: str, name: str) -> None:
    new_suite(tmp_path / folder)
    assert load_suite(tmp_path / folder).name == name


def test_a_new_suite_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "note").touch()
    done = _command(tmp_path, "tasks", "new", "mine")
    assert (done.returncode, done.stderr) == (2, "controlscope: mine is not empty\n")
    with pytest.raises(InputError, match="note is not empty"):
        new_suite(tmp_path / "mine" / "note")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["note"]
