"""Scripted reviewers that show how scope can hurt; neither tries to help the program."""

import ast
import random
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from controlscope.boundaries import Boundary
from controlscope.canonical import JsonObject, encode
from controlscope.continuations import literal_arguments, sites_ahead
from controlscope.operations import (
    EditParameters,
    Keep,
    PatchArguments,
    Replace,
    ReplaceBoundary,
    Scope,
    permitted,
)
from controlscope.roles import Review
from reviewers.rest import rest_of_program

__all__ = ["Overeager", "Random"]

_Way: TypeAlias = Callable[[Boundary, random.Random], Review]


class Overeager:
    """Replaces, at each opportunity, by the rest of the program from here.

    Inside a loop or a function that starts the whole statement again: the mistake of a reviewer
    who forgets that part of it has already run. Under a scope without replacement it keeps.
    """

    def __init__(self, replace: ReplaceBoundary = "reply") -> None:
        self._replace = replace

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        """Replace where the scope allows it."""
        if scope != "full":
            return Review(Keep())
        return Review(
            Replace(rest_of_program(boundary, self._replace)), "the rest again, from here"
        )


class Random:
    """Keeps, swaps one argument for another value of its type, at the pending call or at a later
    site of the block, or drops or repeats a statement.

    Its choice depends on the seed, the scope and the boundary's state key alone: equal states get
    equal choices in every branch. The kinds that the scope permits are equally likely.
    """

    def __init__(self, seed: int, replace: ReplaceBoundary = "reply") -> None:
        self._seed = seed
        self._replace = replace

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        """Choose at random."""
        chance = random.Random(f"{self._seed}:{boundary.state_key}")
        ways: dict[type, _Way] = {
            Keep: _keep,
            PatchArguments: _swap,
            EditParameters: _swap_later,
            Replace: self._disturb,
        }
        kinds = permitted(scope, boundary.contract)
        return chance.choice([way for kind, way in ways.items() if kind in kinds])(boundary, chance)

    def _disturb(self, boundary: Boundary, chance: random.Random) -> Review:
        """Drop or repeat the module-level statement that waits."""
        body = ast.parse(rest_of_program(boundary, self._replace)).body
        if chance.random() < 0.5:
            code = ast.unparse(ast.Module(body[1:] or [ast.Pass()], []))
            return Review(Replace(code), "the pending statement dropped")
        code = ast.unparse(ast.Module([*body[:1], *body], []))
        return Review(Replace(code), "the pending statement repeated")


def _keep(boundary: Boundary, chance: random.Random) -> Review:
    return Review(Keep())


def _swap(boundary: Boundary, chance: random.Random) -> Review:
    """Patch one data argument, or keep where nothing else of any argument's type was seen."""
    pending = boundary.pending
    swapped = _swapped(boundary, pending.tool, pending.arguments, chance)
    return Review(PatchArguments(swapped), _said(swapped)) if swapped else Review(Keep())


def _swap_later(boundary: Boundary, chance: random.Random) -> Review:
    """Edit one data argument of a later call whose value stands in the text, or keep."""
    pending = boundary.pending
    ahead = sites_ahead(boundary.block.code, pending.position, boundary.proxy)
    sites = [site for site in ahead if site != pending.site]
    chance.shuffle(sites)
    for site in sites:
        swapped = _swapped(boundary, site.tool, literal_arguments(ahead[site]), chance)
        if swapped:
            return Review(EditParameters({site: swapped}), f"{_said(swapped)} in line {site.line}")
    return Review(Keep())


def _swapped(
    boundary: Boundary, name: str, arguments: JsonObject, chance: random.Random
) -> JsonObject:
    """Return one data argument with another value of its type that was seen, or none."""
    tool = boundary.tools.get(name)
    names = sorted(set(arguments) - (tool.program_parameters if tool else frozenset()))
    chance.shuffle(names)
    seen = [boundary.variables.block, boundary.variables.module]
    seen += [entry["arguments"] for entry in boundary.history.entries if entry["kind"] == "call"]
    for each in names:
        old = arguments[each]
        values = {encode(value): value for value in _values(seen) if type(value) is type(old)}
        values.pop(encode(old), None)
        if values:
            return {each: values[chance.choice(sorted(values))]}
    return {}


def _said(swapped: JsonObject) -> str:
    return f"{', '.join(swapped)} swapped"


def _values(value: Any) -> Iterator[Any]:
    yield value
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list):
            yield from _values(part)
        else:
            yield part
