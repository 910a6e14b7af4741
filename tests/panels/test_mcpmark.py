"""A user's own MCPMark checkout: here a small one in its form, with texts of our own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from controlscope.errors import InfrastructureError, InputError
from panels import scripts
from panels.spec import Panel
from panels.spec_file import PanelSpec
from panels.suite import find_task, load_suite
from tests.play import play_task

CLI = Path(sys.executable).parent / "controlscope"
TOML = '[suite]\nname = "mark"\nproxy = "fs"\nkind = "mcpmark"\nroot = "../checkout"\n'
LONG_AGO = 1_500_000_000

VERIFY = """#!/usr/bin/env python3
import os
import sys
from pathlib import Path

folder = Path(os.environ["FILESYSTEM_TEST_DIR"])
print("Looking at", folder)
sizes = folder / "sizes.txt"
if not sizes.is_file():
    print(f"❌ no {sizes}")
    sys.exit(1)
if sizes.read_text().split() != ["5", "7"]:
    raise ValueError("the sizes are wrong")
print("🎉 all is well")
"""
PROGRAM = """import re

sizes = []
for name in ("a.txt", "b.txt"):
    info = fs.get_file_info(path=name)
    print(info)
    sizes.append(re.search("size: ([0-9]+)", info)[1])
"""
TASKS = (
    "file_property/list_sizes",
    "file_property/copy",
    "student_database/duplicate_name",
    "threestudio/locating",
    "votenet/comparing",
    "votenet/debugging",
)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a checkout, its environments and a suite.toml with one program beside it."""
    for task in TASKS:
        folder = tmp_path / "checkout" / "tasks" / "filesystem" / "standard" / task
        folder.mkdir(parents=True)
        (folder / "description.md").write_text(f"Do {task}.\n")
        (folder / "meta.json").write_text('{"difficulty": "L1"}')
        (folder / "verify.py").write_text(VERIFY)
    for category in ("file_property", "student_database"):
        environment = tmp_path / "environments" / category
        environment.mkdir(parents=True)
        for name, text in (("a.txt", "alpha"), ("b.txt", "be\tta\r\n")):
            (environment / name).write_bytes(text.encode())
            os.utime(environment / name, (LONG_AGO, LONG_AGO))
        os.utime(environment, (LONG_AGO, LONG_AGO))
    monkeypatch.setenv("FILESYSTEM_TEST_ROOT", str(tmp_path / "environments"))
    program = tmp_path / "mine" / "programs" / "file_property" / "list_sizes" / "p1"
    program.mkdir(parents=True)
    (program / "01.py").write_text(PROGRAM)
    (program / "02.py").write_text("fs.write_file(path='sizes.txt', content='\\n'.join(sizes))\n")
    (tmp_path / "mine" / "suite.toml").write_text(TOML)
    return tmp_path / "mine"


def _standard(suite: Path) -> Path:
    return suite.parent / "checkout" / "tasks" / "filesystem" / "standard"


def _refused(suite: Path) -> str:
    with pytest.raises(InputError) as refused:
        load_suite(suite)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def _score(suite: Path, folder: Path) -> tuple[bool, str]:
    _, task = find_task(f"{suite}/file_property/list_sizes")
    score = anyio.run(scripts.score, task, folder, suite)
    return score.success, score.message


def test_a_task_of_the_checkout_runs_end_to_end(suite: Path) -> None:
    checkout = suite.parent / "checkout"
    before = sorted(checkout.rglob("*")), sorted((suite.parent / "environments").rglob("*"))
    run, row = play_task(suite.parent / "run", f"{suite}/file_property/list_sizes")
    assert (row["success"], row["message"], row["ending"]) == (True, "🎉 all is well", "finished")
    assert next(run.of_kind("episode_started"))["goal"] == "Do file_property/list_sizes."
    # The files' own times: what the run shows and what it starts from.
    shown = [event["observation"] for event in run.of_kind("call_completed")]
    assert "modified: Fri Jul 14 2017 02:40:00" in shown[0]
    files = next(run.of_kind("episode_ended"))["files"]
    assert files["b.txt"]["modified"] == "2017-07-14T02:40:00+00:00"
    assert files["sizes.txt"]["modified"] == "2026-01-01T00:00:00+00:00"
    assert (sorted(checkout.rglob("*")), sorted((suite.parent / "environments").rglob("*"))) == (
        before
    )


def test_a_run_that_does_not_do_it_fails_with_the_verifiers_last_line(suite: Path) -> None:
    program = suite / "programs" / "file_property" / "list_sizes" / "p1"
    (program / "02.py").unlink()
    _, row = play_task(suite.parent / "run", f"{suite}/file_property/list_sizes")
    assert (row["success"], row["message"]) == (False, "❌ no ./sizes.txt")


@pytest.mark.parametrize(
    ("verifier", "passed", "message"),
    [
        (VERIFY, False, "ValueError: the sizes are wrong"),
        ("import sys\nsys.exit(3)", False, ""),
        ("import os, signal\nprint('end')\nos.kill(os.getpid(), signal.SIGKILL)", False, "end"),
        ("print('one')\nprint('two\\n\\n')", True, "two"),
        ("", True, ""),
        ("import sys\nprint(len(sys.argv))", True, "1"),
    ],
)
def test_a_verifier_passes_by_exit_0_alone(
    suite: Path, verifier: str, passed: bool, message: str
) -> None:
    (_standard(suite) / "file_property" / "list_sizes" / "verify.py").write_text(verifier)
    final = suite.parent / "final"
    final.mkdir()
    (final / "sizes.txt").write_text("5\n8\n")
    assert _score(suite, final) == (passed, message)


def test_a_verifier_that_takes_too_long_is_infrastructure(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (_standard(suite) / "file_property" / "list_sizes" / "verify.py").write_text(
        "import time\ntime.sleep(60)"
    )
    monkeypatch.setattr(scripts, "_SECONDS", 0.2)
    with pytest.raises(InfrastructureError, match=r"verify\.py took more than 0\.2 s"):
        _score(suite, suite)


def test_the_record_leaves_two_categories_out_and_marks_what_forbids_code(suite: Path) -> None:
    loaded = load_suite(suite)
    assert list(loaded.tasks) == sorted(TASKS[:3])
    assert loaded.left_out == TASKS[3:]
    assert [task.id for task in loaded.tasks.values() if not task.code] == [TASKS[2]]
    assert loaded.tasks[TASKS[0]].category == "file_property"
    done = subprocess.run([CLI, "tasks", suite], capture_output=True, text=True, check=True)
    assert done.stderr == (
        "mark: 3 tasks; 3 are left out, of threestudio, votenet, which stand outside the 24-task"
        " record\n"
    )
    assert "mark/student_database/duplicate_name  no program  (its instruction forbids" in (
        done.stdout
    )


def test_the_environments_may_be_named_in_the_suite(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FILESYSTEM_TEST_ROOT", "/none")
    (suite / "suite.toml").write_text(TOML + 'environments = "../environments"\n')
    task = load_suite(suite).tasks[TASKS[0]]
    assert task.environment == suite.parent / "environments" / "file_property"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('root = "../checkout"\n', "", "suite.toml:4: suite.kind: needs root"),
        ("../checkout", "../none", "suite.toml:5: suite.root: .*none does not exist"),
        ("../checkout", ".", "suite.toml:5: suite.root: no tasks/filesystem/standard/CATEGORY"),
        ("mcpmark", "mcp", "suite.toml:4: suite.kind: Input should be 'tasks', "),
        ("mcpmark", "tasks", "suite.toml:5: suite.root: only a suite of kind"),
        ("root =", 'environments = "../none"\nroot =', "suite.toml:5: suite.environments: .*none"),
        ("root =", 'environments = "."\nroot =', ":5: suite.environments: .* has no folder file_p"),
    ],
)
def test_a_wrong_key_is_named_with_its_line(suite: Path, old: str, new: str, problem: str) -> None:
    (suite / "suite.toml").write_text(TOML.replace(old, new))
    assert re.search(problem, _refused(suite))


@pytest.mark.parametrize("piece", ["description.md", "meta.json", "verify.py"])
def test_a_missing_piece_is_named(suite: Path, piece: str) -> None:
    (_standard(suite) / TASKS[1] / piece).unlink()
    assert _refused(suite).endswith(f"{TASKS[1]} has no {piece}")


def test_an_empty_description_is_named(suite: Path) -> None:
    (_standard(suite) / TASKS[1] / "description.md").write_text(" \n")
    assert _refused(suite).endswith(f"{TASKS[1]}/description.md is empty")


def test_missing_environments_are_named_all_at_once(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FILESYSTEM_TEST_ROOT", str(suite))
    assert _refused(suite) == (
        f"FILESYSTEM_TEST_ROOT: {suite} has no folder file_property, student_database"
    )
    monkeypatch.delenv("FILESYSTEM_TEST_ROOT")
    assert "suite.toml:4: suite.kind: needs environments" in _refused(suite)


def test_programs_of_no_task_are_named(suite: Path) -> None:
    (suite / "programs" / "file_property" / "sizes" / "p1").mkdir(parents=True)
    assert "programs/file_property/sizes belongs to no task" in _refused(suite)


def test_a_panel_knows_when_an_environment_has_changed(suite: Path) -> None:
    spec = PanelSpec.model_validate(
        {
            "name": "mark",
            "suite": str(suite),
            "tasks": [TASKS[0]],
            "programs": ["P1"],
            "conditions": {"keep": {"scope": "keep"}},
        }
    )
    before = Panel(spec, load_suite(suite)).resolved()
    path = suite.parent / "environments" / "file_property" / "a.txt"
    path.write_text("omega")
    assert Panel(spec, load_suite(suite)).resolved() != before


def test_a_file_from_the_future_is_refused_before_anything_starts(suite: Path) -> None:
    path = suite.parent / "environments" / "file_property" / "a.txt"
    os.utime(path, (4_000_000_000, 4_000_000_000))
    with pytest.raises(InputError, match=r"'a\.txt' in .* is dated after the present"):
        play_task(suite.parent / "run", f"{suite}/file_property/list_sizes")
    assert not (suite.parent / "run" / "run.partial").exists()


def test_a_link_that_leads_out_of_an_environment_is_refused(suite: Path) -> None:
    (suite.parent / "environments" / "file_property" / "out").symlink_to("/etc/passwd")
    with pytest.raises(InputError, match="is a link that leads nowhere inside the environment"):
        play_task(suite.parent / "run", f"{suite}/file_property/list_sizes")
