from pathlib import Path

import pytest

from executors.appworld.engine import PYTHON, Engine, engine_on

ROOT = Path(__file__).parents[3] / ".appworld" / "mini"


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the mini world's data root; skip the test where it is not built."""
    if not (PYTHON.exists() and ROOT.is_dir()):
        pytest.skip("AppWorld is not installed: make appworld")
    return ROOT


@pytest.fixture(scope="session")
def engine(root: Path) -> Engine:
    return engine_on(root)
