"""Reviewers by the names that the command line and panel specifications use."""

import importlib
import re
from pathlib import Path

from controlscope.errors import InputError
from controlscope.operations import ReplaceBoundary
from controlscope.roles import Reviewer
from reviewers.baselines import Overeager, Random
from reviewers.frozen import Frozen
from reviewers.heuristic import Heuristic
from reviewers.human import Human
from reviewers.keep import Keep

__all__ = ["resolve_reviewer"]

_CHOICES = "keep, heuristic, overeager, random:SEED, frozen:FILE, human or module:factory"

_MODULE = re.compile(r"(?!(random|frozen|human)$)[^\W\d]\w*(\.[^\W\d]\w*)*")


def resolve_reviewer(name: str, replace: ReplaceBoundary = "reply") -> Reviewer:
    """Return the reviewer of a name: keep, heuristic, overeager, random:SEED, frozen:FILE,
    human, or module:factory, where `factory()` of a user's importable module returns a reviewer.

    `replace` is the run's replacement boundary: a scripted reviewer carries the queued blocks over
    where a replacement cancels them. InputError names what is wrong and lists the choices.
    """
    kind, _, detail = name.partition(":")
    match kind, detail:
        case "keep", "":
            return Keep()
        case "heuristic", "":
            return Heuristic(replace)
        case "overeager", "":
            return Overeager(replace)
        case "random", seed if re.fullmatch(r"[0-9]{1,18}", seed):
            return Random(int(seed), replace)
        case "frozen", file if file:
            return Frozen(Path(file))
        case "human", "":
            return Human(replace)
        case module, factory if factory and _MODULE.fullmatch(module):
            return _from_factory(module, factory, name)
    raise InputError(f"unknown reviewer {name!r}: use {_CHOICES}")


def _from_factory(module: str, factory: str, name: str) -> Reviewer:
    try:
        make = getattr(importlib.import_module(module), factory)
    except (ImportError, AttributeError) as error:
        raise InputError(f"reviewer {name!r}: {error}; use {_CHOICES}") from None
    if not callable(make):
        raise InputError(f"reviewer {name!r}: {factory} cannot be called")
    reviewer: Reviewer = make()
    if not callable(getattr(reviewer, "review", None)):
        raise InputError(f"reviewer {name!r}: what it returns has no method review")
    return reviewer
