"""Suites of AppWorld's form, read from data roots in its layout."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controlscope.errors import InfrastructureError, InputError
from panels.cli import app
from panels.suite import find_suite, find_task, load_suite

SUITE = '[suite]\nname = "own"\nproxy = "apis"\nkind = "appworld"\nroot = "world"\nsplits = [{}]\n'
WHO = {
    "first_name": "Ida",
    "last_name": "Noor",
    "email": "ida@example.com",
    "phone_number": "5550001",
}


def data_root(folder: Path, splits: Mapping[str, Sequence[str]]) -> Path:
    """Write the specs of a data root's tasks, which is all that a suite reads."""
    data = folder / "data"
    (data / "datasets").mkdir(parents=True)
    for split, names in splits.items():
        (data / "datasets" / f"{split}.txt").write_text("".join(f"{name}\n" for name in names))
        for name in names:
            (data / "tasks" / name).mkdir(parents=True)
            specs = {"instruction": f"Do {name}.", "supervisor": WHO, "datetime": "2024-01-01"}
            (data / "tasks" / name / "specs.json").write_text(json.dumps(specs))
    return folder


def _suite(folder: Path, *splits: str) -> Path:
    folder.mkdir(exist_ok=True)
    named = ", ".join(f'"{split}"' for split in splits)
    (folder / "suite.toml").write_text(SUITE.format(named))
    return folder


def test_the_tasks_of_its_splits_are_scenarios_with_instances(tmp_path: Path) -> None:
    data_root(tmp_path / "world", {"dev": ["ab_1", "ab_2"], "more": ["cd_1"]})
    suite = load_suite(_suite(tmp_path, "dev", "more"))
    assert list(suite.tasks) == ["ab/ab_1", "ab/ab_2", "cd/cd_1"]
    task = suite.tasks["ab/ab_2"]
    assert (task.category, task.split, task.environment) == ("ab", "dev", tmp_path / "world")
    assert "Ida Noor" in task.instruction
    assert "ida@example.com" in task.instruction
    assert task.instruction.endswith("Task: Do ab_2.")
    assert not suite.only_totals
    assert find_task(f"{tmp_path}/cd_1")[1] == suite.tasks["cd/cd_1"]


def test_a_scenario_s_programs_serve_its_instances(tmp_path: Path) -> None:
    data_root(tmp_path / "world", {"dev": ["ab_1", "ab_2", "cd_1"]})
    program = tmp_path / "programs" / "ab" / "p1"
    program.mkdir(parents=True)
    (program / "01.py").write_text("apis.supervisor.complete_task()\n")
    suite = load_suite(_suite(tmp_path, "dev"))
    assert {name: list(task.programs) for name, task in suite.tasks.items()} == {
        "ab/ab_1": ["P1"],
        "ab/ab_2": ["P1"],
        "cd/cd_1": [],
    }


def test_a_program_of_no_scenario_is_refused(tmp_path: Path) -> None:
    data_root(tmp_path / "world", {"dev": ["ab_1"]})
    (tmp_path / "programs" / "abb").mkdir(parents=True)
    with pytest.raises(InputError, match="programs/abb belongs to no scenario"):
        load_suite(_suite(tmp_path, "dev"))


def test_data_that_are_not_built_are_missing_and_not_wrong(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match=r"own: .*/world is not built: make appworld"):
        load_suite(_suite(tmp_path, "dev"))


@pytest.mark.parametrize("named", ["", "nowhere"])
def test_the_official_tasks_are_found_by_the_engine_s_own_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.setenv("APPWORLD_ROOT", named)
    with pytest.raises(InfrastructureError, match="set APPWORLD_ROOT to the folder that holds"):
        load_suite(find_suite("appworld-test"))
    root = data_root(tmp_path, {"test_normal": ["ab_1"], "test_challenge": ["cd_1"]})
    monkeypatch.setenv("APPWORLD_ROOT", str(root))
    suite = load_suite(find_suite("appworld-test"))
    assert list(suite.tasks) == ["ab/ab_1", "cd/cd_1"]
    assert suite.only_totals


def test_no_single_official_test_task_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = data_root(tmp_path, {"test_normal": ["ab_1", "ab_2"], "test_challenge": ["cd_1"]})
    monkeypatch.setenv("APPWORLD_ROOT", str(root))
    done = CliRunner().invoke(app, ["tasks", "appworld-test", "--json"])
    assert json.loads(done.stdout) == []
    assert "test_normal 2, test_challenge 1; single ones are not shown" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"dev"', '"other"', r"suite.toml:6: suite.splits: .*/other.txt does not exist"),
        ('splits = ["dev"]', "", "suite.toml:4: suite.kind: needs splits"),
        (
            '"appworld"',
            '"tasks"',
            'suite.root: only a suite of kind "mcpmark" or "appworld" or "alfw',
        ),
        (
            '"appworld"',
            '"mcpmark"',
            'suite.splits: only a suite of kind "appworld" or "alfworld" has one',
        ),
        (
            'splits = ["dev"]',
            'splits = ["dev"]\n[environment]\nserver = "filesystem"',
            "suite.toml:7: environment: the engine is the environment",
        ),
    ],
)
def test_what_is_wrong_in_its_file_is_named(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    data_root(tmp_path / "world", {"dev": ["ab_1"]})
    path = _suite(tmp_path, "dev") / "suite.toml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(InputError, match=problem):
        load_suite(tmp_path)


@pytest.mark.parametrize(
    ("name", "specs", "problem"),
    [
        ("ab_1", "{}", "specs.json is no task of AppWorld's: instruction: Field required"),
        ("ab_1", "{", "specs.json is no task of AppWorld's: Expecting property name"),
        ("ab", "{}", "dev.txt: 'ab' is no id SCENARIO_N"),
    ],
)
def test_a_task_that_is_none_is_named(tmp_path: Path, name: str, specs: str, problem: str) -> None:
    data_root(tmp_path / "world", {"dev": [name]})
    (tmp_path / "world" / "data" / "tasks" / name / "specs.json").write_text(specs)
    with pytest.raises(InputError, match=problem):
        load_suite(_suite(tmp_path, "dev"))


def test_a_world_is_not_built_or_scored_as_a_folder(tmp_path: Path) -> None:
    data_root(tmp_path / "world", {"dev": ["ab_1"]})
    address = f"{_suite(tmp_path, 'dev')}/ab_1"
    for command in ("build", "score"):
        done = CliRunner().invoke(app, ["tasks", command, address, str(tmp_path / "folder")])
        assert isinstance(done.exception, InputError)
        assert "only a run opens and scores it" in str(done.exception)
