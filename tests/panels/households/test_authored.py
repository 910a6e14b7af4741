"""The authored programs of the six task types, as they are loaded for a game."""

import ast

import pytest

from panels.households.authored import PROGRAMS, authored_programs
from panels.households.games import TASK_TYPES

TEXT = 'You see a "box" 1 \\ and\n\nYour task is to: put a mug in desk.'
MOST = 1 + 5
"""A plan and its repairs."""


@pytest.mark.parametrize("task_type", sorted(TASK_TYPES.values()))
def test_each_task_type_has_two_plans_with_up_to_five_repairs(task_type: str) -> None:
    programs = authored_programs(task_type, TEXT)
    assert list(programs) == ["P1", "P2"]
    for program in programs.values():
        assert 2 <= len(program.replies) <= MOST
    first, second = (program.replies[0].blocks[0].code for program in programs.values())
    assert first != second


@pytest.mark.parametrize("task_type", sorted(TASK_TYPES.values()))
def test_every_block_begins_with_the_task_s_text_as_it_is(task_type: str) -> None:
    for program in authored_programs(task_type, TEXT).values():
        for block in (block for reply in program.replies for block in reply.blocks):
            first = ast.parse(block.code).body[0]
            assert isinstance(first, ast.Assign)
            assert ast.unparse(first.targets[0]) == "TASK"
            assert ast.literal_eval(first.value) == TEXT


def test_there_are_programs_for_nothing_else() -> None:
    assert {path.name for path in PROGRAMS.iterdir()} == set(TASK_TYPES.values())
    assert authored_programs("pick_and_sing", TEXT) == {}
