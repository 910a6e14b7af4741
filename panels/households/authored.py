"""The authored programs of household tasks: two for each task type, the same for every game of it.

They stand in for what an agent writes once it has read the room and the goal, so that this text is
a constant at the head of their code.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from controlscope.tasks import Block, Reply, SourceProgram
from panels.programs import load_programs

__all__ = ["PROGRAMS", "authored_programs"]

PROGRAMS = Path(__file__).parent / "programs"
"""A folder a task type. `01.py` is the plan, what follows are the repairs after it has failed."""


def authored_programs(task_type: str, text: str) -> Mapping[str, SourceProgram]:
    """Return the programs of a game: `TASK` is its initial text in each block.

    Every block has it, because a repair may run in a fresh worker. Without programs for the type
    there are none.
    """
    programs = load_programs(PROGRAMS / task_type)
    return {
        name: replace(program, replies=tuple(_told(reply, text) for reply in program.replies))
        for name, program in programs.items()
    }


def _told(reply: Reply, text: str) -> Reply:
    blocks = (Block(block.id, f"TASK = {text!r}\n\n{block.code}") for block in reply.blocks)
    return replace(reply, blocks=tuple(blocks))
