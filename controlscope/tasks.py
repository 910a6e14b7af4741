"""Tasks, suites and the programs that are given for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from controlscope.budgets import Budget

__all__ = ["INSTANT", "Block", "Reply", "SourceProgram", "Suite", "Task"]

INSTANT = datetime(2026, 1, 1, tzinfo=UTC)
"""The frozen clock: what a run's own writes and its program's clock read as."""


@dataclass(frozen=True)
class Block:
    """One queued code call of a reply: the id of its tool call and its Python text."""

    id: str
    code: str


@dataclass(frozen=True)
class Reply:
    """One assistant reply. Without a block it ends the trajectory."""

    blocks: tuple[Block, ...]
    text: str = ""


@dataclass(frozen=True)
class SourceProgram:
    """The assistant replies of one program of one task, in order; P1 and P2 are independent."""

    name: str
    replies: tuple[Reply, ...]


@dataclass(frozen=True)
class Task:
    """One task of a suite: what is asked, the folder it is built and scored from, its budget.

    `id` is `category/name`, unique in its suite. `seed` makes the environment. `code` tells whether
    the instruction allows code; where it does not, the task stands outside the scope comparison.
    """

    id: str
    category: str
    instruction: str
    folder: Path
    seed: int
    code: bool
    budget: Budget
    programs: Mapping[str, SourceProgram]


@dataclass(frozen=True)
class Suite:
    """Tasks that share an environment; `proxy` is the name that a program calls tools through."""

    name: str
    proxy: str
    tasks: Mapping[str, Task]
