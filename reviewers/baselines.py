"""Scripted reviewers that show how scope can hurt; neither tries to help the program."""

import ast
import random
from collections.abc import Iterator
from typing import Any

from controlscope.boundaries import Boundary
from controlscope.canonical import encode
from controlscope.operations import Keep, PatchArguments, Replace, ReplaceBoundary, Scope
from controlscope.roles import Review
from reviewers.rest import rest_of_program

__all__ = ["Overeager", "Random"]


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
    """Keeps, swaps one argument for another value of its type, or drops or repeats a statement.

    Its choice depends on the seed, the scope and the boundary's state key alone: equal states get
    equal choices in every branch. The kinds that the scope permits are equally likely.
    """

    def __init__(self, seed: int, replace: ReplaceBoundary = "reply") -> None:
        self._seed = seed
        self._replace = replace

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        """Choose at random."""
        chance = random.Random(f"{self._seed}:{boundary.state_key}")
        kinds = {"keep": [_keep], "arg": [_keep, _swap], "full": [_keep, _swap, self._disturb]}
        return chance.choice(kinds[scope])(boundary, chance)

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
    tool = boundary.tools.get(boundary.pending.tool)
    programs = tool.program_parameters if tool else frozenset()
    names = sorted(set(boundary.pending.arguments) - programs)
    chance.shuffle(names)
    seen = [boundary.variables.block, boundary.variables.module]
    seen += [entry["arguments"] for entry in boundary.history.entries if entry["kind"] == "call"]
    for name in names:
        old = boundary.pending.arguments[name]
        values = {encode(value): value for value in _values(seen) if type(value) is type(old)}
        values.pop(encode(old), None)
        if values:
            new = values[chance.choice(sorted(values))]
            return Review(PatchArguments({name: new}), f"{name} swapped")
    return Review(Keep())


def _values(value: Any) -> Iterator[Any]:
    yield value
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list):
            yield from _values(part)
        else:
            yield part
