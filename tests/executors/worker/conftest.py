"""Each back end that works here, in turn."""

import pytest

from executors.worker import client
from executors.worker.boxes.box import BACK_ENDS, BackEnd, Maker
from executors.worker.boxes.choosing import MAKERS

_PROBLEMS: dict[BackEnd, str | None] = {}


def working(name: BackEnd) -> Maker:
    """Return a back end; skip the test where it does not work."""
    if name not in _PROBLEMS:
        _PROBLEMS[name] = MAKERS[name].probe()
    problem = _PROBLEMS[name]
    if problem is not None:
        pytest.skip(f"{name} does not work here: {problem}")
    return MAKERS[name]


@pytest.fixture(params=BACK_ENDS)
def back_end(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Maker:
    """Let every sandbox of a test be of one back end."""
    maker = working(request.param)
    monkeypatch.setattr(client, "chosen", lambda: maker)
    return maker


@pytest.fixture(params=[name for name in BACK_ENDS if MAKERS[name].forks])
def forking_back_end(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Maker:
    """Let every sandbox of a test be of a back end that can copy a worker."""
    maker = working(request.param)
    monkeypatch.setattr(client, "chosen", lambda: maker)
    return maker
