import json
import subprocess
import sys
from pathlib import Path

import pytest

from executors.worker.boxes.box import BACK_ENDS
from panels.suite import SUITES

CLI = Path(sys.executable).parent / "controlscope"


def doctor(folder: Path) -> tuple[int, dict[str, dict[str, object]]]:
    done = subprocess.run(
        [CLI, "doctor", "--json"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.returncode, {check["name"]: check for check in json.loads(done.stdout)}


def test_everything_that_runs_need_is_found_by_trying_it(tmp_path: Path) -> None:
    status, checks = doctor(tmp_path)
    assert status == 0
    assert set(checks) == {
        *("python", "packages", "node", "server", "worker", "alfworld"),
        *(f"worker {name}" for name in BACK_ENDS),
        *(f"suite {path.parent.name}" for path in SUITES.glob("*/suite.toml")),
    }
    assert all(check["works"] for check in checks.values() if check["needed"])
    assert checks["worker"]["found"] == "bubblewrap runs the workers"
    assert checks["suite filesystem"]["found"] == "24 tasks"


def test_a_suite_whose_data_are_not_here_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path))
    status, checks = doctor(tmp_path)
    assert status == 0
    assert not checks["suite alfworld-seen"]["works"]
    assert "run `alfworld-download`" in str(checks["suite alfworld-seen"]["found"])


def test_a_package_that_shadows_ours_is_named(tmp_path: Path) -> None:
    (tmp_path / "reviewers").mkdir()
    (tmp_path / "reviewers" / "__init__.py").write_text("")
    done = subprocess.run(
        [sys.executable, "-c", "from panels.doctor import _packages; print(_packages().line())"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("MISSING packages: ")
    assert f"reviewers comes from {tmp_path}" in done.stdout
