"""The kinds of rooms that our own household games are played in, and what may lie in them."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["CLEANABLE", "COOLABLE", "HEATABLE", "KINDS", "OPENABLE", "SCENES", "Kind"]


@dataclass(frozen=True)
class Kind:
    """A kind of room: how many of each receptacle it has (at least, at most), and its objects.

    `objects` are the classes that can be carried, each with the receptacles that may hold it.
    `lamp` is the class of lamp that stands in the room.
    """

    name: str
    receptacles: Mapping[str, tuple[int, int]]
    objects: Mapping[str, frozenset[str]]
    lamp: str | None = None


OPENABLE = frozenset({"Cabinet", "Drawer", "Fridge", "Microwave", "Safe"})

_FOODS = frozenset({"Apple", "Bread", "Egg", "Potato", "Tomato"})
_DISHES = frozenset({"Bowl", "Cup", "Mug", "Plate"})
HEATABLE = (_FOODS | _DISHES) - {"Bowl"}
COOLABLE = _FOODS | _DISHES | {"Lettuce", "Pan"}
CLEANABLE = (_FOODS - {"Bread"}) | _DISHES | {"Cloth", "Fork", "Lettuce", "Pan", "SoapBar", "Spoon"}

_SURFACES = frozenset({"CounterTop", "DiningTable"})
_COLD = _SURFACES | {"Fridge", "GarbageCan"}
_STORED = _SURFACES | {"Cabinet"}
_LIVING = frozenset({"CoffeeTable", "SideTable", "Sofa", "ArmChair", "Drawer"})
_BEDROOM = frozenset({"Bed", "Desk", "Drawer", "Dresser", "Shelf"})
_BATHROOM = frozenset({"Cabinet", "CounterTop", "Drawer", "GarbageCan", "Toilet"})

KINDS = {
    "kitchen": Kind(
        "kitchen",
        {
            "Cabinet": (4, 8),
            "CounterTop": (1, 3),
            "DiningTable": (1, 1),
            "Drawer": (2, 4),
            "Fridge": (1, 1),
            "GarbageCan": (1, 1),
            "Microwave": (1, 1),
            "Sink": (1, 1),
        },
        {
            **dict.fromkeys(sorted(_FOODS | {"Lettuce"}), _COLD),
            **dict.fromkeys(sorted(_DISHES | {"Pan"}), _STORED),
            "Fork": _SURFACES | {"Drawer"},
            "Spoon": _SURFACES | {"Drawer"},
        },
    ),
    "living room": Kind(
        "living room",
        {
            "ArmChair": (1, 2),
            "CoffeeTable": (1, 1),
            "Drawer": (2, 4),
            "GarbageCan": (1, 1),
            "Safe": (1, 1),
            "SideTable": (1, 3),
            "Sofa": (1, 1),
        },
        {
            "Book": _LIVING,
            "CreditCard": _LIVING | {"Safe"},
            "KeyChain": _LIVING | {"Safe"},
            "Laptop": _LIVING - {"Drawer"},
            "Newspaper": _LIVING | {"GarbageCan"},
            "RemoteControl": _LIVING,
            "Watch": _LIVING | {"Safe"},
        },
        "FloorLamp",
    ),
    "bedroom": Kind(
        "bedroom",
        {
            "Bed": (1, 1),
            "Desk": (1, 2),
            "Drawer": (2, 5),
            "Dresser": (1, 1),
            "GarbageCan": (1, 1),
            "Shelf": (1, 4),
        },
        {
            "AlarmClock": _BEDROOM - {"Bed", "Drawer"},
            "Book": _BEDROOM,
            "CD": _BEDROOM | {"GarbageCan"},
            "CellPhone": _BEDROOM,
            "Pen": _BEDROOM | {"GarbageCan"},
            "Pencil": _BEDROOM | {"GarbageCan"},
            "Pillow": frozenset({"Bed"}),
        },
        "DeskLamp",
    ),
    "bathroom": Kind(
        "bathroom",
        {
            "Cabinet": (2, 4),
            "CounterTop": (1, 1),
            "Drawer": (1, 3),
            "GarbageCan": (1, 1),
            "Sink": (1, 2),
            "Toilet": (1, 1),
        },
        {
            "Candle": _BATHROOM - {"GarbageCan"},
            "Cloth": _BATHROOM - {"Toilet"},
            "SoapBar": _BATHROOM,
            "SoapBottle": _BATHROOM,
            "SprayBottle": _BATHROOM,
            "ToiletPaper": _BATHROOM,
        },
    ),
}

_KITCHEN = ("heat", "cool", "clean", "simple", "two", "heat")
_LAMPLIT = ("simple", "light", "two", "simple", "light", "two")
_WASHED = ("simple", "clean", "two", "simple", "clean", "two")

SCENES: Mapping[int, tuple[str, tuple[str, ...]]] = {
    901: ("kitchen", _KITCHEN),
    902: ("kitchen", (*_KITCHEN[:-1], "cool")),
    903: ("living room", _LAMPLIT),
    904: ("living room", _LAMPLIT),
    905: ("bedroom", _LAMPLIT),
    906: ("bedroom", _LAMPLIT),
    907: ("bathroom", _WASHED),
    908: ("bathroom", _WASHED),
}
"""Our scenes, by numbers that no official scene has: their kind, and what each game asks for."""
