"""Tasks, suites and the programs that are given for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias

from controlscope.budgets import Budget, Contract
from controlscope.canonical import JsonObject

__all__ = [
    "INSTANT",
    "Block",
    "Reply",
    "Server",
    "SourceProgram",
    "Suite",
    "SuiteKind",
    "Task",
]

SuiteKind: TypeAlias = Literal["tasks", "mcpmark", "appworld", "alfworld"]
"""The form of a suite's tasks. `tasks`: our own, scored beside the pristine environment by exit 0
or 1. `mcpmark`: MCPMark's, whose verifier is told only where the folder is and passes with exit 0
alone, and whose environment's files keep their own times. `appworld`: worlds that AppWorld's
engine opens from a data root and scores itself. `alfworld`: household games that ALFWorld's engine
plays, each a file."""

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
    """The assistant replies of one program of one task, in order; P1 and P2 are independent.

    `failure` says how planning failed where it was asked to go on after the last reply; without one
    planning stops there.
    """

    name: str
    replies: tuple[Reply, ...]
    failure: str | None = None


@dataclass(frozen=True)
class Task:
    """One task of a suite: what is asked, where it starts, how it is scored, its budget.

    `id` is `category/name`, unique in its suite. `folder` holds the task's files, `verify.py` among
    them. `environment` is a folder to copy or a script that builds one from `seed`. `code` tells
    whether the instruction allows code; where it does not, the task stands outside the scope
    comparison. `split` is the part of a benchmark that the task belongs to, where it has parts;
    `contract` is AppWorld's alone.
    """

    id: str
    kind: SuiteKind
    category: str
    instruction: str
    folder: Path
    environment: Path
    seed: int
    code: bool
    budget: Budget
    programs: Mapping[str, SourceProgram]
    split: str = ""
    contract: Contract | None = None


@dataclass(frozen=True)
class Server:
    """The MCP server behind a suite's tools; without a command, the original filesystem server.

    `command` is its command line, a program's absolute path first. `state` is where it sees the
    environment's folder, all that it can write to. `readable` are the paths of this machine that it
    sees beside the system's own, each at its own place. `variables` are its environment variables.
    `tools` are those that programs may call (None: all). `program_parameters` names, by tool, the
    parameters that encode programs, `path_parameters` those that hold paths.
    """

    command: tuple[str, ...] = ()
    state: str = "/workspace"
    readable: tuple[Path, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    tools: frozenset[str] | None = None
    program_parameters: Mapping[str, frozenset[str]] = field(default_factory=dict)
    path_parameters: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        """Return the server as hashed."""
        return {
            "command": list(self.command),
            "state": self.state,
            "readable": [str(path) for path in self.readable],
            "variables": dict(self.variables),
            "tools": None if self.tools is None else sorted(self.tools),
            "program_parameters": {
                tool: sorted(names) for tool, names in self.program_parameters.items()
            },
            "path_parameters": {
                tool: sorted(names) for tool, names in self.path_parameters.items()
            },
        }


@dataclass(frozen=True)
class Suite:
    """Tasks that share a server; `proxy` is the name that a program calls its tools through.

    `folder` holds the suite's `suite.toml`. `left_out` are ids of tasks that its source holds and
    the suite does not. `label` says beside each of its figures what the suite is, where its name
    could mislead. `only_totals`: nothing is shown of a single task. `notes` say what is odd about
    its data, a line each.
    """

    name: str
    folder: Path
    proxy: str
    server: Server
    tasks: Mapping[str, Task]
    left_out: tuple[str, ...] = ()
    label: str = ""
    only_totals: bool = False
    notes: tuple[str, ...] = ()
