"""What the rules make of a pending command, given the answer before it."""

import ast
from collections.abc import Sequence

import pytest

from controlscope.boundaries import Boundary, History, PendingCall, Remaining, Variables
from controlscope.canonical import JsonObject
from controlscope.continuations import Position, site_of
from controlscope.operations import Keep, Operation, PatchArguments, Replace, Scope, realize
from controlscope.tasks import Block
from controlscope.tools import Tool
from reviewers.heuristic import Heuristic
from tests.reviewers.stand_in import now

ANSWER = (
    "You pick up the mug 1 from the cabinet 1.\n"
    "Admissible: examine cabinet 1; examine mug 1; go to cabinet 2; go to cabinet 3;"
    " go to fridge 1; go to microwave 1; inventory; look; move mug 1 to cabinet 1"
)
TOOL = Tool(
    "act",
    "",
    {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    False,
)


def _boundary(
    command: str,
    code: str,
    answer: str | None = ANSWER,
    variables: JsonObject | None = None,
    before: Sequence[str] = (),
) -> Boundary:
    history = History()
    if answer is not None:
        for done in [*before, "look"]:
            history += {
                "kind": "call",
                "tool": "act",
                "arguments": {"command": done},
                "observation": answer,
                "is_error": False,
            }
    line = next(n for n, text in enumerate(code.splitlines(), 1) if "act(" in text)
    text = code.splitlines()[line - 1]
    position = Position(line, text.index("act("), line, text.index(")") + 1)
    return Boundary(
        index=1,
        goal="heat some mug and put it in cabinet",
        proxy="act",
        history=history,
        block=Block("b", code),
        queued=(),
        pending=PendingCall("act", {"command": command}, position),
        site=site_of(code, position, "act", 0),
        variables=Variables({}, variables or {}),
        printed="",
        decisions=(),
        tools={"act": TOOL},
        remaining=Remaining(50, 5),
        environment="",
    )


def _decided(command: str, scope: Scope = "full", code: str | None = None) -> Operation:
    boundary = _boundary(command, code or f"act({command!r})\n")
    operation = now(Heuristic().review(boundary, scope)).operation
    realize(operation, boundary, scope, "reply")
    return operation


@pytest.mark.parametrize("scope", ["arg", "full"])
@pytest.mark.parametrize(
    ("command", "nearest"),
    [
        ("put mug 1 in/on cabinet 1", "move mug 1 to cabinet 1"),
        ("move mug to cabinet 1", "move mug 1 to cabinet 1"),
        ("go to microwave", "go to microwave 1"),
    ],
)
def test_a_command_that_is_not_admissible_becomes_the_nearest_one(
    command: str, nearest: str, scope: Scope
) -> None:
    assert _decided(command, scope) == PatchArguments({"command": nearest})


@pytest.mark.parametrize(
    "command",
    [
        "go to fridge 1",
        " Go To Fridge 1 ",
        "go to cabinet 1",
        "go to cabinet 9",
        "dance",
        "take fork 1 from drawer 4",
    ],
)
def test_what_is_admissible_or_near_to_nothing_goes_on_unchanged(command: str) -> None:
    assert _decided(command) == Keep()


def test_heating_elsewhere_is_replaced_by_going_to_the_microwave_and_the_rest() -> None:
    code = 'seen = act("heat mug 1 with cabinet 1")\nprint(seen)\nact("look")\n'
    operation = _decided("heat mug 1 with cabinet 1", code=code)
    assert operation == Replace(
        "act('go to microwave 1')\nseen = act('heat mug 1 with microwave 1')\n"
        "print(seen)\nact('look')"
    )


def test_the_right_appliance_takes_the_place_of_a_command_with_variables_in_it() -> None:
    code = 'act(f"heat {thing} with stoveburner 1")\nact("look")\n'
    operation = _decided("heat mug 1 with stoveburner 1", code=code)
    assert operation == Replace(
        "act('go to microwave 1')\nact('heat mug 1 with microwave 1')\nact('look')"
    )


def test_of_two_right_appliances_none_is_chosen() -> None:
    code = "act('heat mug 1 with cabinet 1')\n"
    two = ANSWER.replace("go to microwave 1", "go to microwave 1; go to microwave 2")
    boundary = _boundary("heat mug 1 with cabinet 1", code, answer=two)
    assert now(Heuristic().review(boundary, "full")).operation == Keep()


SEARCH = """\
for place in likely:
    seen = act(f"go to {place}")
    if "apple" in seen:
        break
else:
    raise RuntimeError("no apple")
print(place)
"""
LIKELY = ["fridge 1", "cabinet 2"]


def _searched(scope: Scope, place: str, code: str, before: Sequence[str] = ()) -> Operation:
    variables = {"likely": LIKELY, "place": place}
    boundary = _boundary(f"go to {place}", code, variables=variables, before=before)
    operation = now(Heuristic().review(boundary, scope)).operation
    realize(operation, boundary, scope, "reply")
    return operation


def test_a_search_at_the_end_of_its_list_goes_on_to_the_places_that_nobody_went_to() -> None:
    operation = _searched("full", "cabinet 2", SEARCH, ["go to fridge 1", "go to cabinet 1"])
    wider = "['cabinet 2', 'cabinet 3', 'microwave 1']"
    assert operation == Replace(
        ast.unparse(ast.parse(SEARCH.replace("in likely", f"in {wider}"))),
    )


def test_a_search_goes_on_unchanged_where_widening_it_is_not_granted_due_or_safe() -> None:
    assert _searched("arg", "cabinet 2", SEARCH) == Keep()
    assert _searched("full", "fridge 1", SEARCH) == Keep()
    no_end = SEARCH.replace("        break\n", "        print(place)\n")
    assert _searched("full", "cabinet 2", no_end) == Keep()
    counted = SEARCH.replace("place in likely", "n, place in enumerate(likely)")
    assert _searched("full", "cabinet 2", counted) == Keep()
    everywhere = ["go to cabinet 3", "go to fridge 1", "go to microwave 1"]
    assert _searched("full", "cabinet 2", SEARCH, everywhere) == Keep()


def test_heating_elsewhere_goes_on_where_no_replacement_is_granted_or_safe() -> None:
    command = "heat mug 1 with cabinet 1"
    loop = f"for _ in range(2):\n    act({command!r})\n"
    computed = "act(next(commands))\n"
    assert _decided(command, "arg") == Keep()
    assert _decided(command, "full", loop) == Keep()
    assert _decided(command, "full", computed) == Keep()


def test_before_the_first_answer_nothing_is_known_and_nothing_is_changed() -> None:
    boundary = _boundary("put mug 1 in fridge 1", "act('put mug 1 in fridge 1')\n", None)
    assert now(Heuristic().review(boundary, "full")).operation == Keep()
