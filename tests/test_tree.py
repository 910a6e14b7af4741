"""What the licence of AppWorld's apps and data keeps out of the tree stays out of it."""

import fnmatch
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from executors.appworld.engine import PYTHON

ROOT = Path(__file__).resolve().parent.parent
_GENERATED = {"api_docs", "base_dbs", "dbs", "ground_truth"}
_APPS = [
    "admin",
    "amazon",
    "api_docs",
    "file_system",
    "gmail",
    "phone",
    "simple_note",
    "splitwise",
    "spotify",
    "supervisor",
    "todoist",
    "venmo",
]


def _tree() -> Iterator[Path]:
    """Yield the files that are not ignored."""
    ignored = [".git", *(ROOT / ".gitignore").read_text(encoding="utf-8").split()]
    patterns = [line.strip("/") for line in ignored]
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [
            name for name in folders if not any(fnmatch.fnmatch(name, part) for part in patterns)
        ]
        yield from (Path(folder, name) for name in files)


def test_the_tree_holds_no_databases_and_no_documents_of_apis() -> None:
    files = [path.relative_to(ROOT) for path in _tree()]
    assert Path("tests/test_tree.py") in files
    assert [path for path in files if path.suffix in {".db", ".sqlite"}] == []
    assert [path for path in files if path.suffix == ".jsonl" and path.stem in _APPS] == []
    assert [path for path in files if _GENERATED & set(path.parts)] == []


def test_the_tree_holds_no_file_of_the_unpacked_apps() -> None:
    apps = [
        path
        for folder in PYTHON.parents[1].glob("lib/python3*/site-packages/appworld/apps")
        for path in folder.rglob("*")
        if path.is_file() and path.stat().st_size > 0
    ]
    if not apps:
        pytest.skip("AppWorld is not installed: make appworld")
    unpacked = {hashlib.sha256(path.read_bytes()).digest() for path in apps}
    found = [path for path in _tree() if hashlib.sha256(path.read_bytes()).digest() in unpacked]
    assert found == []


def test_only_what_runs_in_its_own_environment_imports_appworld() -> None:
    own = (
        "executors/appworld/host.py",
        "panels/suites/appworld-mini/",
        "tests/panels/mini_world/check_mini.py",
    )
    for path in _tree():
        name = path.relative_to(ROOT).as_posix()
        if path.suffix == ".py" and not name.startswith(own):
            lines = path.read_text(encoding="utf-8").splitlines()
            assert not [
                line
                for line in lines
                if line.lstrip().startswith(("import appworld", "from appworld"))
            ], name
