"""Draws household games: a room, what lies where, one goal, and a plan that should meet it.

A seed decides a game alone, so that the same seed gives the same bytes on every machine. What a
draw says is proved on the engine before a game is kept (see `generate`).
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from panels.households.rooms import (
    CLEANABLE,
    COOLABLE,
    HEATABLE,
    KINDS,
    OPENABLE,
    SCENES,
    Kind,
)

__all__ = ["TASK_TYPES", "Game", "Thing", "draw_games"]

TASK_TYPES = {
    "simple": "pick_and_place_simple",
    "light": "look_at_obj_in_light",
    "clean": "pick_clean_then_place_in_recep",
    "heat": "pick_heat_then_place_in_recep",
    "cool": "pick_cool_then_place_in_recep",
    "two": "pick_two_obj_and_place",
}
"""The six task types: our short names, and the engine's long ones."""

_CHANGED = {"clean": CLEANABLE, "heat": HEATABLE, "cool": COOLABLE}
_APPLIANCES = {"clean": "Sink", "heat": "Microwave", "cool": "Fridge"}
_ASKED = {
    "simple": "put a {thing} in {target}",
    "light": "look at {thing} under the {target}",
    "clean": "put a clean {thing} in {target}",
    "heat": "put a hot {thing} in {target}",
    "cool": "put a cool {thing} in {target}",
    "two": "put two {thing} in {target}",
}


@dataclass(frozen=True)
class Thing:
    """A receptacle or an object of one game: `number` counts its class, `place` holds it."""

    kind: str
    number: int
    place: "Thing | None" = None

    @property
    def id(self) -> str:
        """Return its identifier. The engine names a class in falling order of these."""
        part = "_bar_SinkBasin" if self.kind == "Sink" else ""
        return f"{self.kind}_bar_{99 - self.number:02}{part}"

    @property
    def type(self) -> str:
        """Return the type that goals speak of."""
        return "SinkBasin" if self.kind == "Sink" else self.kind

    @property
    def name(self) -> str:
        """Return what the engine calls it."""
        return f"{self.type.lower()} {self.number}"


@dataclass(frozen=True)
class Game:
    """One game: `task` is a short name, `wanted` and `target` are classes, `plan` meets the goal.

    A lamp is in `objects` like what can be carried. In a game in lamplight the target is the lamp.
    """

    scene: int
    number: int
    task: str
    kind: Kind
    wanted: str
    target: str
    receptacles: tuple[Thing, ...]
    objects: tuple[Thing, ...]

    @property
    def folder(self) -> str:
        """Return its path in the form of the official games, from which type and scene are read."""
        target = "SinkBasin" if self.target == "Sink" else self.target
        parts = TASK_TYPES[self.task], self.wanted, "None", target, str(self.scene)
        return f"{'-'.join(parts)}/trial_{self.scene}_{self.number}"

    @property
    def asked(self) -> str:
        """Return the goal in words."""
        target = "sinkbasin" if self.target == "Sink" else self.target.lower()
        return _ASKED[self.task].format(thing=self.wanted.lower(), target=target)

    @property
    def plan(self) -> tuple[str, ...]:
        """Return commands that meet the goal."""
        return tuple(self._steps())

    def _steps(self) -> Iterator[str]:
        opened: set[Thing] = set()
        here: Thing | None = None

        def go(place: Thing) -> Iterator[str]:
            # Going to where one stands is no admissible command.
            nonlocal here
            if place != here:
                yield f"go to {place.name}"
            here = place

        def reach(place: Thing) -> Iterator[str]:
            yield from go(place)
            if place.kind in OPENABLE and place not in opened:
                opened.add(place)
                yield f"open {place.name}"

        things = [thing for thing in self.objects if thing.kind == self.wanted]
        for thing in things[: 2 if self.task == "two" else 1]:
            assert thing.place is not None
            yield from reach(thing.place)
            yield f"take {thing.name} from {thing.place.name}"
            if self.task == "light":
                lamp = next(thing for thing in self.objects if thing.kind == self.target)
                assert lamp.place is not None
                yield from go(lamp.place)
                yield f"use {lamp.name}"
                return
            if self.task in _APPLIANCES:
                appliance = self._first(_APPLIANCES[self.task])
                yield from go(appliance)
                yield f"{self.task} {thing.name} with {appliance.name}"
            target = self._first(self.target)
            yield from reach(target)
            yield f"move {thing.name} to {target.name}"

    def _first(self, kind: str) -> Thing:
        return next(place for place in self.receptacles if place.kind == kind)


def draw_games(seed: int) -> list[Game]:
    """Draw every game of every scene: 48 over eight scenes, each task type among them."""
    games = []
    for scene, (name, tasks) in SCENES.items():
        kind = KINDS[name]
        room = random.Random(f"{seed}:{scene}")
        receptacles = tuple(
            Thing(receptacle, number)
            for receptacle, (least, most) in kind.receptacles.items()
            for number in range(1, room.randint(least, most) + 1)
        )
        games += [_draw(seed, scene, n, task, kind, receptacles) for n, task in enumerate(tasks, 1)]
    return games


def _draw(
    seed: int, scene: int, number: int, task: str, kind: Kind, receptacles: tuple[Thing, ...]
) -> Game:
    chance = random.Random(f"{seed}:{scene}:{number}")
    able = _CHANGED.get(task, frozenset(kind.objects))
    # What is in the target already would meet the goal, or half of it: a second place is needed.
    wanted = chance.choice(
        [name for name in kind.objects if name in able and len(kind.objects[name]) > 1]
    )
    if task == "light":
        assert kind.lamp is not None
        target = kind.lamp
    else:
        target = chance.choice(sorted(kind.objects[wanted]))
    others = sorted(set(kind.objects) - {wanted})
    classes = [wanted] * (2 if task == "two" else 1)
    for name in chance.sample(others, chance.randint(3, len(others))):
        classes += [name] * chance.randint(1, 2)
    objects = []
    for name in dict.fromkeys(classes):
        allowed = kind.objects[name] - ({target} if name == wanted else set())
        places = [place for place in receptacles if place.kind in allowed]
        objects += [
            Thing(name, count, chance.choice(places)) for count in range(1, classes.count(name) + 1)
        ]
    if kind.lamp is not None:
        tables = [place for place in receptacles if place.kind in ("Desk", "SideTable")]
        objects.append(Thing(kind.lamp, 1, chance.choice(tables)))
    return Game(scene, number, task, kind, wanted, target, receptacles, tuple(objects))
