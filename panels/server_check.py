"""Ask a suite's server, before anything runs, whether it is what `suite.toml` says."""

import dataclasses
import tempfile
from pathlib import Path

from controlscope.errors import InputError
from controlscope.roles import Score
from controlscope.tasks import Suite
from executors.mcp.environment import open_environment
from executors.mcp.server import server_spec
from executors.mcp.workspace import prepare
from panels.toml import place

__all__ = ["check_server"]


async def check_server(suite: Suite, initial: Path) -> None:
    """Ask a suite's server whether it has the tools and parameters that `suite.toml` names.

    It is started on a copy of `initial`, where there is a name to check; InputError names the key.
    """
    server = suite.server
    parameters = {
        "program_parameters": server.program_parameters,
        "path_parameters": server.path_parameters,
    }
    if server.tools is None and not any(parameters.values()):
        return
    everything = dataclasses.replace(server_spec(server), tools=None)
    with tempfile.TemporaryDirectory() as scratch:
        workspace = Path(scratch) / "workspace"
        prepare(initial, workspace)
        async with open_environment(everything, workspace, _unscored) as environment:
            tools = environment.tools
    file = suite.folder / "suite.toml"
    named = [("tools", name) for name in sorted(server.tools or ())]
    named += [(key, name) for key, by_tool in parameters.items() for name in sorted(by_tool)]
    for key, name in named:
        if name not in tools:
            raise InputError(
                f"{place(file, 'environment', key)}: the server has no tool {name!r};"
                f" it has {', '.join(sorted(tools))}"
            )
        known = tools[name].input_schema.get("properties", {})
        for parameter in sorted(parameters.get(key, {}).get(name, frozenset()) - set(known)):
            raise InputError(
                f"{place(file, 'environment', key, name)}: {name} takes no"
                f" {parameter!r}; it takes {', '.join(known) or 'nothing'}"
            )


async def _unscored(_: Path) -> Score:
    return Score(success=False, message="")
