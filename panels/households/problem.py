"""A game as the engine reads it: its problem, and the file that holds all that it needs."""

from collections.abc import Iterator

from controlscope.canonical import encode
from panels.households.games import TASK_TYPES, Game, Thing
from panels.households.rooms import CLEANABLE, COOLABLE, HEATABLE, OPENABLE

__all__ = ["game_file", "problem"]

_UNKNOWN = "UNKNOWN GOAL."
_STATES = {"clean": "(isClean ?o)", "heat": "(isHot ?o)", "cool": "(isCool ?o)"}
# The domain's actions name these whether or not a game has one.
_RECEPTACLE_TYPES = frozenset({"Fridge", "Microwave", "SinkBasin"})
_OBJECT_TYPES = frozenset({"ButterKnife", "Knife"})


def game_file(game: Game, domain: str, grammar: str) -> str:
    """Return a game's file. ValueError where the grammar has no place for the goal's words."""
    if grammar.count(_UNKNOWN) != 1:
        raise ValueError(f"the engine's grammar does not hold {_UNKNOWN!r} once")
    return encode(
        {
            "grammar": grammar.replace(_UNKNOWN, f"{game.asked}."),
            "pddl_domain": domain,
            "pddl_problem": problem(game),
            "solvable": True,
            "walkthrough": list(game.plan),
        }
    )


def problem(game: Game) -> str:
    """Return the game's PDDL problem."""
    lines = ["(define (problem household)", "(:domain alfred)", "(:objects", *_objects(game), ")"]
    lines += ["(:init", *_facts(game), ")", f"(:goal {_goal(game)})", ")"]
    return "\n".join(lines)


def _objects(game: Game) -> Iterator[str]:
    yield "agent1 - agent"
    yield "loc_bar_start - location"
    for place in game.receptacles:
        yield f"{place.id} - receptacle"
        yield f"{_location(place)} - location"
    for thing in game.objects:
        yield f"{thing.id} - object"
    for name in sorted(_RECEPTACLE_TYPES | {place.type for place in game.receptacles}):
        yield f"{name}Type - rtype"
    for name in sorted(_OBJECT_TYPES | {thing.type for thing in game.objects}):
        yield f"{name}Type - otype"


def _facts(game: Game) -> Iterator[str]:
    yield "(atLocation agent1 loc_bar_start)"
    for place in game.receptacles:
        yield f"(receptacleType {place.id} {place.type}Type)"
        yield f"(receptacleAtLocation {place.id} {_location(place)})"
        if place.kind in OPENABLE:
            yield f"(openable {place.id})"
    for thing in game.objects:
        assert thing.place is not None
        yield f"(objectType {thing.id} {thing.type}Type)"
        yield f"(inReceptacle {thing.id} {thing.place.id})"
        yield f"(objectAtLocation {thing.id} {_location(thing.place)})"
        yield f"({'toggleable' if thing.kind == game.kind.lamp else 'pickupable'} {thing.id})"
        for able, names in (
            ("cleanable", CLEANABLE),
            ("heatable", HEATABLE),
            ("coolable", COOLABLE),
        ):
            if thing.kind in names:
                yield f"({able} {thing.id})"
    for name in sorted({thing.kind for thing in game.objects} - {game.kind.lamp}):
        holders = game.kind.objects[name]
        for holder in sorted({place.type for place in game.receptacles if place.kind in holders}):
            yield f"(canContain {holder}Type {name}Type)"


def _goal(game: Game) -> str:
    match TASK_TYPES[game.task]:
        case "look_at_obj_in_light":
            return (
                "(and (exists (?o - object) (and"
                f" (objectType ?o {game.wanted}Type) (holds agent1 ?o)))"
                " (exists (?p - object ?r - receptacle ?l - location) (and"
                f" (objectType ?p {game.target}Type) (toggleable ?p) (isToggled ?p)"
                " (inReceptacle ?p ?r) (receptacleAtLocation ?r ?l) (atLocation agent1 ?l))))"
            )
        case "pick_two_obj_and_place":
            return (
                "(exists (?o - object ?p - object ?r - receptacle) (and (not (= ?o ?p))"
                f" (objectType ?o {game.wanted}Type) (objectType ?p {game.wanted}Type)"
                f" {_in_target(game, 'o')} (inReceptacle ?p ?r)))"
            )
        case _:
            return (
                "(exists (?o - object ?r - receptacle) (and"
                f" (objectType ?o {game.wanted}Type) {_in_target(game, 'o')}"
                f" {_STATES.get(game.task, '')}))"
            )


def _in_target(game: Game, name: str) -> str:
    target = "SinkBasin" if game.target == "Sink" else game.target
    return f"(receptacleType ?r {target}Type) (inReceptacle ?{name} ?r)"


def _location(place: Thing) -> str:
    return f"loc_bar_{place.kind.lower()}_{place.number:02}"
