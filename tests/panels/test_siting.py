"""Where a rule offers its review: programs that just meet it, and programs that just miss it."""

from pathlib import Path

import pytest

from panels.siting import RULES, Ineligible
from tests.play import DONE, READ_A, READ_B, play

FAILS = "try:\n    fs.read_text_file(path='/workspace/none')\nexcept ToolError:\n    pass\n"
IN_A_FUNCTION = f"def look():\n    {READ_A}    {READ_B}look()\n"
IN_A_CLASS = f"class Look:\n    {READ_A}    {READ_B}"
IN_A_LAMBDA = f"look = lambda: ({READ_A.strip()}, {READ_B.strip()})\nlook()\n"
IN_A_LIST = f"for one in [{READ_A.strip()} for n in range(2)]:\n    pass\n"
NO_JSON = "seen = {1, 2}\n"

LOCAL = {
    "a writer's second call": ([READ_A + DONE], 1),
    "the earliest writer, not the earliest block": ([READ_A + READ_B, READ_A + DONE], 3),
    "the earliest of two writers": ([READ_A + DONE, READ_A + DONE], 1),
    "the earliest block with two calls where none writes": ([READ_A, READ_A + READ_B], 2),
    "a block whose one call writes is too short": ([DONE, READ_A + READ_B], 2),
    "a loop at module level": (
        ["for n in range(2):\n    " + READ_A + DONE],
        1,
    ),
    "a function is passed over, what follows it is not": ([IN_A_FUNCTION + DONE], 2),
    "a class is passed over, what follows it is not": ([IN_A_CLASS + DONE], 2),
    "a lambda is passed over, what follows it is not": ([IN_A_LAMBDA + DONE], 2),
    "a call that failed was executed": ([FAILS + DONE], 1),
    "variables without a JSON form are passed over": (
        [READ_A + NO_JSON + READ_B + "del seen\n" + DONE],
        2,
    ),
    "one call a block": ([READ_A, DONE], "no block with two calls"),
    "a function alone": (
        [IN_A_FUNCTION],
        "no boundary at module level with variables that have a JSON form",
    ),
    "no JSON form to the end": (
        [READ_A + NO_JSON + DONE],
        "no boundary at module level with variables that have a JSON form",
    ),
}

MISSED = "no unique direct call right after an answer in its block"
FEEDBACK = {
    "right after an answer": ([READ_A + DONE], 1),
    "the first of several": ([READ_A + READ_B + DONE], 1),
    "an answer of another block is none": ([READ_A, DONE], MISSED),
    "an error is no answer": ([FAILS + DONE], MISSED),
    "a write is no answer": ([DONE + READ_A], MISSED),
    "a pending call in a branch": ([READ_A + "if True:\n    " + DONE], MISSED),
    "a pending call in a loop": ([READ_A + "for n in range(2):\n    " + DONE], MISSED),
    "a pending call by another name": (
        [READ_A + "write = fs.write_file\nwrite(path='/workspace/done.txt', content='')\n"],
        MISSED,
    ),
    "a pending call in a comprehension": ([READ_A + IN_A_LIST], MISSED),
    "a pending call that may not come": ([READ_A + "1 and " + DONE], MISSED),
    "a pending call in a function": ([READ_A + f"def end():\n    {DONE}end()\n"], MISSED),
    "a pending call within an expression": ([READ_A + "n = len(" + DONE.strip() + ")\n"], 1),
    "two equal calls in the text are two sites": ([READ_A + READ_A + DONE], 1),
    "after a loop, outside it": (["for n in range(2):\n    " + READ_A + DONE], 2),
}

MIDPOINT = {
    "half of an even number": ([READ_A * 4], 2),
    "half of an odd number, rounded down": ([READ_A * 3, READ_B * 2], 2),
    "tool errors count": ([FAILS * 3 + DONE], 2),
    "a single call": ([DONE], 0),
    "no call": (["x = 1\n"], "no call"),
}

CASES = [
    pytest.param(rule, program, found, id=f"{rule}: {name}")
    for rule, cases in {"local": LOCAL, "feedback": FEEDBACK, "midpoint:once": MIDPOINT}.items()
    for name, (program, found) in cases.items()
]


@pytest.mark.parametrize(("rule", "program", "found"), CASES)
def test_a_rule_finds_its_boundary_or_says_why_not(
    rule: str, program: list[str], found: int | str, tmp_path: Path
) -> None:
    keep, _ = play(tmp_path, program)
    sited = RULES[rule].sited(keep)
    if isinstance(found, str):
        assert sited == Ineligible(found)
    else:
        assert str(sited) == f"once:{found}"


def test_from_the_midpoint_on_reviews_are_continuous(tmp_path: Path) -> None:
    keep, _ = play(tmp_path, [READ_A * 4])
    assert str(RULES["midpoint:continuous"].sited(keep)) == "from:2"
