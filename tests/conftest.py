from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from executors.appworld.engine import PYTHON

_OPTION = "--no-skips"

# The same examples on every machine, however busy it is.
settings.register_profile(
    "same",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        _OPTION, action="store_true", help="Fail what would be skipped: a skip hides a test."
    )


def _failed(report: pytest.TestReport | pytest.CollectReport, config: pytest.Config) -> None:
    """Turn a skip, which is no expected failure, into a failure that says its reason."""
    if config.getoption(_OPTION) and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid}: no skips are allowed here: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _failed(report, item.config)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _failed(report, collector.config)
    return report


@pytest.fixture(scope="session")
def mini_world() -> Path:
    """Return the data root of AppWorld's mini world; skip the test where it is not built."""
    root = Path(__file__).parents[1] / ".appworld" / "mini"
    if not (PYTHON.exists() and (root / "data").is_dir()):
        pytest.skip("AppWorld is not installed: make appworld")
    return root


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
