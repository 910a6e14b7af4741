"""Reviewers are named on the command line, and a wrong name says what there is."""

import json
from pathlib import Path

import pytest

from controlscope.errors import InputError
from reviewers.baselines import Overeager, Random
from reviewers.frozen import Frozen
from reviewers.heuristic import Heuristic
from reviewers.keep import Keep
from reviewers.resolve import resolve_reviewer


def test_each_name_gives_its_reviewer(tmp_path: Path) -> None:
    file = tmp_path / "operations.json"
    file.write_text(json.dumps([]))
    for name, kind in {
        "keep": Keep,
        "heuristic": Heuristic,
        "overeager": Overeager,
        "random:7": Random,
        f"frozen:{file}": Frozen,
        "reviewers.keep:Keep": Keep,
    }.items():
        assert type(resolve_reviewer(name)) is kind


@pytest.mark.parametrize(
    "name",
    [
        "", "kep", "keep:1", "random", "random:", "random:x", "random:-1", "frozen", "frozen:",
        "no_such_module:factory", "reviewers.keep:factory", ":factory", ".x:factory",
    ],
)  # fmt: skip
def test_a_wrong_name_lists_the_choices(name: str) -> None:
    with pytest.raises(InputError, match="keep, heuristic, overeager, random:SEED, frozen:FILE"):
        resolve_reviewer(name)


@pytest.mark.parametrize("name", ["reviewers.resolve:__all__", "builtins:dict"])
def test_a_factory_that_gives_no_reviewer_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=name):
        resolve_reviewer(name)
