"""Read `suite.toml`: what a suite is, and the server behind its tools, checked key by key."""

import os
import shutil
from collections.abc import Mapping, Sequence
from keyword import iskeyword
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, field_validator

from controlscope.errors import InputError
from controlscope.tasks import Server, SuiteKind
from executors.confinement import SYSTEM
from executors.mcp.server import WORKSPACE
from panels.toml import Strict, place, read_toml

__all__ = ["SuiteFile", "located", "path_of", "read_suite_file", "server_of"]

# A command line and an environment cannot hold NUL.
_Text = Annotated[str, StringConstraints(pattern=r"^[^\x00]+$")]
_Value = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]
_Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
_Names = Annotated[list[str], Field(min_length=1)]

_TAKEN = (Path("/proc"), Path("/dev"))
_OF_A_COMMAND = ("state", "readable", "variables", "path_parameters")


_KINDS_WITH: Mapping[str, tuple[SuiteKind, ...]] = {
    "root": ("mcpmark", "appworld", "alfworld"),
    "environments": ("mcpmark",),
    "splits": ("appworld", "alfworld"),
}


class _SuiteTable(Strict):
    """`seed` is the one that environments are built from unless another is asked."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]*$")
    proxy: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    seed: int = Field(default=0, ge=0)
    kind: SuiteKind = "tasks"
    root: _Text | None = None
    environments: _Text | None = None
    splits: _Names | None = None
    label: str = ""

    @field_validator("proxy")
    @classmethod
    def _is_a_name(cls, text: str) -> str:
        if iskeyword(text):
            raise ValueError(f"{text} is a word of Python's own")
        return text


class _EnvironmentTable(Strict):
    server: Literal["filesystem"] | None = None
    command: Annotated[list[_Text], Field(min_length=1)] | None = None
    state: str = Field(default=WORKSPACE, pattern=r"^(/[A-Za-z0-9_][A-Za-z0-9._-]*)+$")
    readable: list[_Text] = Field(default_factory=list)
    variables: dict[_Variable, _Value] = Field(default_factory=dict)
    tools: _Names | None = None
    program_parameters: dict[str, _Names] = Field(default_factory=dict)
    path_parameters: dict[str, _Names] = Field(default_factory=dict)


class SuiteFile(Strict):
    """`suite.toml`; without an `[environment]` table the server is the filesystem one."""

    suite: _SuiteTable
    environment: _EnvironmentTable = _EnvironmentTable(server="filesystem")


def read_suite_file(path: Path) -> SuiteFile:
    """Read it; InputError names the line and the key, as for keys that do not fit together."""
    file = read_toml(path, SuiteFile)
    for key, kinds in _KINDS_WITH.items():
        if file.suite.kind not in kinds and getattr(file.suite, key) is not None:
            having = " or ".join(f'"{kind}"' for kind in kinds)
            raise InputError(f"{place(path, 'suite', key)}: only a suite of kind {having} has one")
    if file.suite.kind in _KINDS_WITH["splits"]:
        if file.suite.splits is None:
            raise InputError(f"{place(path, 'suite', 'kind')}: needs splits, names of the data's")
        if "environment" in file.model_fields_set:
            raise InputError(f"{place(path, 'environment')}: the engine is the environment")
    environment = file.environment
    if (environment.server is None) == (environment.command is None):
        raise InputError(f"{place(path, 'environment')}: needs either server or command")
    for key in _OF_A_COMMAND:
        if environment.command is None and key in environment.model_fields_set:
            raise InputError(f"{place(path, 'environment', key)}: only a command has one")
    return file


def path_of(file: Path, text: str, *keys: str) -> Path:
    """Return the path that a key of `suite.toml` names: `~` is home, else relative to its folder.

    InputError where nobody's home is meant.
    """
    try:
        path = Path(text).expanduser()
    except RuntimeError as error:
        raise InputError(f"{place(file, *keys)}: {error}") from None
    return Path(os.path.normpath(file.parent.absolute() / path))


def located(file: Path, text: str, *keys: str) -> Path:
    """Return the path that a key names; InputError where nothing is there."""
    path = path_of(file, text, *keys)
    if not path.exists():
        raise InputError(f"{place(file, *keys)}: {path} does not exist")
    return path


def server_of(path: Path, table: SuiteFile) -> Server:
    """Return the server that `[environment]` describes; InputError where it could not start."""
    environment = table.environment
    command: tuple[str, ...] = ()
    readable: tuple[Path, ...] = ()
    if environment.command is not None:
        readable = tuple(
            located(path, text, "environment", "readable") for text in environment.readable
        )
        command = (_program(path, environment.command[0], readable), *environment.command[1:])
        _check_state(path, Path(environment.state), readable)
    return Server(
        command=command,
        state=environment.state,
        readable=readable,
        variables=environment.variables,
        tools=None if environment.tools is None else frozenset(environment.tools),
        program_parameters=_by_tool(environment.program_parameters),
        path_parameters=_by_tool(environment.path_parameters),
    )


def _by_tool(names: Mapping[str, list[str]]) -> dict[str, frozenset[str]]:
    return {tool: frozenset(parameters) for tool, parameters in names.items()}


def _program(path: Path, text: str, readable: Sequence[Path]) -> str:
    """Find a command's program, which the server's own place must show under the same path."""
    where = ("environment", "command")
    if "/" in text:
        program = located(path, text, *where)
    else:
        found = shutil.which(text)
        if found is None:
            raise InputError(f"{place(path, *where)}: no command {text!r} on this machine's PATH")
        program = Path(found).absolute()
    if not (program.is_file() and os.access(program, os.X_OK)):
        raise InputError(f"{place(path, *where)}: {program} is no program")
    for seen in (program, program.resolve()):
        if not any(seen.is_relative_to(shown) for shown in (*SYSTEM, *readable)):
            raise InputError(
                f"{place(path, *where)}: the server could not see {seen}:"
                " name its folder in environment.readable"
            )
    return str(program)


def _check_state(path: Path, state: Path, readable: Sequence[Path]) -> None:
    for other in (*SYSTEM, *_TAKEN, *readable):
        if state.is_relative_to(other) or other.is_relative_to(state):
            raise InputError(
                f"{place(path, 'environment', 'state')}: {state} and {other} would hide each other"
            )
