"""Reviewers and planners by the names that the command line and panel specifications use."""

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from controlscope.errors import InputError
from controlscope.operations import ReplaceBoundary
from controlscope.roles import Planner, Reviewer
from controlscope.tasks import SourceProgram
from reviewers.baselines import Overeager, Random
from reviewers.frozen import Frozen
from reviewers.heuristic import Heuristic
from reviewers.human import Human
from reviewers.keep import Keep
from reviewers.planner import ScriptedPlanner

__all__ = ["SCRIPTED", "check_planner", "resolve_planner", "resolve_reviewer"]

SCRIPTED = "scripted"
"""The planner that gives the program folder's own replies."""

_CHOICES = "keep, heuristic, overeager, random:SEED, frozen:FILE, human or module:factory"

_MODULE = re.compile(r"(?!(random|frozen|human|model)$)[^\W\d]\w*(\.[^\W\d]\w*)*")


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
            reviewer: Reviewer = _made("reviewer", name, _factory("reviewer", name)(), "review")
            return reviewer
    raise InputError(f"unknown reviewer {name!r}: use {_CHOICES}")


def check_planner(name: str) -> None:
    """Refuse what is no planner of ours: InputError."""
    if name != SCRIPTED:
        _factory("planner", name)


def resolve_planner(name: str, program: SourceProgram) -> Planner:
    """Return the planner of a run of `program`: scripted, or module:factory.

    `factory(program)` of a user's importable module returns a planner, which gives every reply, the
    first one too.
    """
    if name == SCRIPTED:
        return ScriptedPlanner(program)
    planner: Planner = _made("planner", name, _factory("planner", name)(program), "plan")
    return planner


def _factory(what: str, name: str) -> Callable[..., Any]:
    """Import what a name stands for; InputError where it is nothing that can be called."""
    module, _, factory = name.partition(":")
    choices = _CHOICES if what == "reviewer" else f"{SCRIPTED}, model:NAME or module:factory"
    if not (factory and _MODULE.fullmatch(module)):
        raise InputError(f"unknown {what} {name!r}: use {choices}")
    try:
        make: Callable[..., Any] = getattr(importlib.import_module(module), factory)
    except (ImportError, AttributeError) as error:
        raise InputError(f"{what} {name!r}: {error}; use {choices}") from None
    if not callable(make):
        raise InputError(f"{what} {name!r}: {factory} cannot be called")
    return make


def _made(what: str, name: str, made: Any, method: str) -> Any:
    if not callable(getattr(made, method, None)):
        raise InputError(f"{what} {name!r}: what it returns has no method {method}")
    return made
