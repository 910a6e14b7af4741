"""A data root is refused in one line before a world of it is opened."""

import json
import re
import shutil
from pathlib import Path

import pytest

from controlscope.errors import InputError
from executors.appworld.data import check_data

SPLITS = {"test_normal": (168, 56), "test_challenge": (417, 139)}


def test_the_mini_world_is_in_order(root: Path) -> None:
    check_data(root, ["mini"])


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    """Return a data root of the mini world's first task under the names of the official tasks."""
    (mini, *_) = sorted((root / "data" / "tasks").iterdir())
    data = tmp_path / "data"
    for name in ("api_docs/standard", "base_dbs", "datasets", "tasks"):
        (data / name).mkdir(parents=True)
    for split, (count, scenarios) in SPLITS.items():
        tasks = [f"{split}{n % scenarios}_{n // scenarios + 1}" for n in range(count)]
        (data / "datasets" / f"{split}.txt").write_text("\n".join(tasks))
        for task in tasks:
            (data / "tasks" / task).symlink_to(mini)
    return tmp_path


def _refused(root: Path, message: str) -> None:
    with pytest.raises(InputError, match=message) as refused:
        check_data(root, list(SPLITS))
    assert "\n" not in str(refused.value)


def test_the_official_counts_are_required(copy: Path) -> None:
    check_data(copy, list(SPLITS))
    listed = copy / "data" / "datasets" / "test_normal.txt"
    tasks = listed.read_text().split()
    listed.write_text("\n".join(tasks[:-1]))
    _refused(copy, r"test_normal\.txt lists 167 tasks of 56 scenarios, .* has 168 of 56: run")
    listed.write_text("\n".join([*tasks[:-1], "test_normal0_4"]))
    _refused(copy, r"test_normal\.txt: test_normal0 has not 3 instances")
    listed.write_text("\n".join([*tasks[:-1], tasks[0]]))
    _refused(copy, r"test_normal\.txt: test_normal55 has not 3 instances")


@pytest.mark.parametrize("name", ["api_docs", "base_dbs"])
def test_what_all_tasks_share_must_be_there(copy: Path, name: str) -> None:
    shutil.rmtree(copy / "data" / name)
    _refused(copy, f"{name}.* is missing: run")


@pytest.mark.parametrize("name", ["specs.json", "dbs", "ground_truth/evaluation.py"])
def test_each_task_must_be_whole(copy: Path, name: str) -> None:
    _own_task(copy, without=name)
    _refused(copy, f"{re.escape(name)} is missing: run")


def test_another_version_of_the_databases_is_refused(copy: Path) -> None:
    specs = _own_task(copy) / "specs.json"
    specs.write_text(json.dumps({**json.loads(specs.read_text()), "db_version": "9.9"}))
    _refused(copy, r"specs\.json has db_version '9\.9', and the installed engine opens '0\.")
    specs.write_text("{}")
    _refused(copy, r"specs\.json has no db_version")


def _own_task(copy: Path, without: str = "") -> Path:
    task = copy / "data" / "tasks" / "test_challenge7_2"
    whole = task.resolve()
    task.unlink()
    shutil.copytree(whole, task)
    if without:
        gone = task / without
        shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    return task
