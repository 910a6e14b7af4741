from pathlib import Path

import pytest

from executors.appworld.engine import Engine, engine_on


@pytest.fixture(scope="session")
def root(mini_world: Path) -> Path:
    return mini_world


@pytest.fixture(scope="session")
def engine(root: Path) -> Engine:
    return engine_on(root)
