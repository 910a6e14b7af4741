"""Household games for tests: our own, as `make alfworld` writes them, and the official ones."""

import importlib.util
import json
import os
from pathlib import Path

import pytest

from controlscope.errors import InfrastructureError
from controlscope.tasks import Suite, Task
from panels.suite import find_suite, load_suite


def our_games() -> Suite:
    """Return the suite of our games; skip the test where they or their engine are not here."""
    if importlib.util.find_spec("alfworld") is None:
        pytest.skip("ALFWorld is not installed: make alfworld")
    return _loaded("alfworld-mini")


def official_games(name: str) -> Suite:
    """Return a suite of official games; skip the test where they are not here."""
    our_games()
    if "ALFWORLD_DATA" not in os.environ:
        pytest.skip("ALFWORLD_DATA is not set: the official games are not here")
    return _loaded(name)


def plan_of(task: Task) -> list[str]:
    """Return the commands that win a game: its own, which no policy is ever shown."""
    commands: list[str] = json.loads(task.environment.read_bytes())["walkthrough"]
    return commands


def game_of(suite: Suite, kind: str) -> Task:
    """Return the game of a task type that is won in the fewest actions."""
    return min(
        (task for task in suite.tasks.values() if f"/{kind}-" in task.id),
        key=lambda task: (len(plan_of(task)), task.id),
    )


def acting(commands: list[str]) -> str:
    """Write a program that takes some actions."""
    return f"for command in {commands!r}:\n    print(act(command))\n"


def folder_of(task: Task) -> Path:
    """Return the folder of a task's split."""
    return task.environment.parents[2]


def _loaded(name: str) -> Suite:
    try:
        return load_suite(find_suite(name))
    except InfrastructureError as missing:
        pytest.skip(missing.detail)
