"""The option `--no-skips`: where everything is installed, a skip would hide a test."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

CONFTEST = Path(__file__).with_name("conftest.py")
SKIPS = {
    "a mark": "@pytest.mark.skip(reason='no gadget')\ndef test_it():\n    pass\n",
    "a condition": "@pytest.mark.skipif(True, reason='no gadget')\ndef test_it():\n    pass\n",
    "a call": "def test_it():\n    pytest.skip('no gadget')\n",
    "a fixture": (
        "@pytest.fixture\ndef gadget():\n    pytest.skip('no gadget')\n"
        "def test_it(gadget):\n    pass\n"
    ),
    "a whole file": "pytest.skip('no gadget', allow_module_level=True)\n",
    "an import": "pytest.importorskip('no_gadget', reason='no gadget')\n",
}
OTHERS = (
    "def test_one():\n    pass\n"
    "@pytest.mark.xfail(reason='known', strict=True)\ndef test_two():\n    assert False\n"
)


def _pytest(folder: Path, texts: Iterable[str], addopts: str, *options: str) -> tuple[int, str]:
    (folder / "conftest.py").write_text(CONFTEST.read_text())
    (folder / "pytest.ini").write_text("[pytest]\n")
    for number, text in enumerate(texts):
        (folder / f"test_{number}.py").write_text(f"import pytest\n{text}")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options],
        cwd=folder,
        env={**os.environ, "PYTEST_ADDOPTS": addopts},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_each_kind_of_skip_becomes_a_failure_that_says_its_reason(tmp_path: Path) -> None:
    options = ("-rfE", "--continue-on-collection-errors")
    status, printed = _pytest(tmp_path, [*SKIPS.values(), OTHERS], "--no-skips", *options)
    assert status == 1, printed
    assert "1 passed, 1 xfailed" in printed, printed
    for number, name in enumerate(SKIPS):
        told = f"test_{number}.py(::test_it)?: no skips are allowed here: .*no gadget"
        assert re.search(told, printed), (name, printed)


def test_without_the_option_a_skip_is_a_skip(tmp_path: Path) -> None:
    status, printed = _pytest(tmp_path, [*SKIPS.values(), OTHERS], "")
    assert (status, f"1 passed, {len(SKIPS)} skipped, 1 xfailed" in printed) == (0, True), printed


def test_with_the_option_other_tests_and_expected_failures_stay_as_they_are(
    tmp_path: Path,
) -> None:
    status, printed = _pytest(tmp_path, [OTHERS], "--no-skips")
    assert (status, "1 passed, 1 xfailed" in printed) == (0, True), printed


def test_the_option_reaches_the_workers_of_a_parallel_run(tmp_path: Path) -> None:
    status, printed = _pytest(tmp_path, [SKIPS["a call"] + OTHERS], "--no-skips", "-n", "1")
    assert (status, "1 failed, 1 passed, 1 xfailed" in printed) == (1, True), printed
    assert "no gadget" in printed
