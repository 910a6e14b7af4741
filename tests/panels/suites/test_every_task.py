"""What holds for every task of the built-in suites, whoever wrote it."""

import os
import sys
from importlib import import_module
from pathlib import Path
from subprocess import run

import pytest

import panels.suites.support
from panels.suites.support import build_tree
from tests.panels.suites.checking import tree_hash

SUITES = Path(panels.suites.support.__file__).parent
TASKS = sorted(file.parent.relative_to(SUITES).as_posix() for file in SUITES.glob("*/*/*/build.py"))
ELSEWHERE = {"PYTHONHASHSEED": "7", "TZ": "Pacific/Auckland", "LC_ALL": "C"}

every_task = pytest.mark.parametrize("task", TASKS)


def script(task: str, name: str, *arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, str(SUITES / task / name), *arguments]
    done = run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **ELSEWHERE}
    )
    return done.returncode, done.stdout, done.stderr


@every_task
def test_a_seed_gives_the_same_tree_in_any_process_and_another_seed_another(
    task: str, tmp_path: Path
) -> None:
    build = import_module(f"panels.suites.{task.replace('/', '.')}.build").build
    name = task.partition("/")[2]
    roots = [tmp_path / name for name in ("here", "other", "script")]
    for root in roots:
        root.mkdir()
    build_tree(build, roots[0], name, 11)
    build_tree(build, roots[1], name, 12)
    assert script(task, "build.py", str(roots[2]), "11") == (0, "", "")
    here, other, elsewhere = map(tree_hash, roots)
    assert here == elsewhere
    assert here != other


@every_task
def test_an_untouched_environment_fails_in_one_line(task: str, tmp_path: Path) -> None:
    assert script(task, "build.py", str(tmp_path), "3") == (0, "", "")
    code, line, errors = script(task, "verify.py", str(tmp_path), str(tmp_path))
    assert (code, line.count("\n"), errors) == (1, 1, "")


@every_task
def test_a_task_has_an_instruction_that_names_the_root_and_no_budget(task: str) -> None:
    instruction = (SUITES / task / "instruction.md").read_text()
    assert "/workspace" in instruction
    assert "Python" not in instruction
    assert (SUITES / task / "task.toml").is_file()
