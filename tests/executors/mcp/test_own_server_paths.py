"""A suite's own server is told where its state is, and says so, the same in each confinement."""

import sys
from pathlib import Path

import anyio
import pytest

from controlscope.canonical import JsonObject
from controlscope.tasks import Server
from executors import confinement
from executors.confinement import Means
from executors.mcp.environment import open_environment
from executors.mcp.server import server_spec
from executors.worker.boxes.landlock import LANDLOCK
from tests.executors.mcp.workspaces import build, entries_only

SERVER = """
import os
import sys
from pathlib import Path
from mcp.server import MCPServer

server = MCPServer("notes")
root = sys.argv[1].removeprefix("--root=")

@server.tool(description=f"Read a note below {os.getcwd()}.")
def read(path: str) -> str:
    return Path(path).read_text()

@server.tool()
def write(path: str, content: str) -> str:
    Path(path).write_text(content)
    return f"wrote {Path(path).resolve()}"

@server.tool()
def join(notes: list[str], into: str) -> str:
    Path(into).write_text("".join(Path(note).read_text() for note in notes))
    return f"joined {', '.join(notes)}"

@server.tool()
def places() -> list[str]:
    return [root, os.environ["NOTES"], os.environ["TWO"], os.getcwd(), os.environ["OTHER"]]

server.run()
"""
CALLS: list[tuple[str, JsonObject]] = [
    ("places", {}),
    ("read", {"path": "/notes/a"}),
    ("read", {"path": "a"}),
    ("write", {"path": "/notes/b", "content": "/notes/a stays as it is, as /notes does"}),
    ("read", {"path": "/notes/../notes/b"}),
    ("join", {"notes": ["/notes/a", "b"], "into": "/notes/c"}),
    ("read", {"path": "c"}),
    ("read", {"path": "/notes/none"}),
    ("write", {"path": "d", "content": "/notes"}),
]


async def _answers(folder: Path) -> tuple[list[JsonObject], list[str], JsonObject]:
    """Return the tools as they describe themselves, what they answered, and the files then."""
    script = build(folder / "server", {"notes.py": SERVER.encode()}) / "notes.py"
    workspace = build(folder / "workspace", {"a": b"alpha\n"})
    server = Server(
        command=(sys.executable, str(script), "--root=/notes"),
        state="/notes",
        readable=(Path(sys.prefix), Path(sys.base_prefix), script.parent),
        variables={"NOTES": "/notes/", "TWO": "/notes/a:/notes/b", "OTHER": "/notesx /x/notes"},
        path_parameters={
            "read": frozenset({"path"}),
            "write": frozenset({"path"}),
            "join": frozenset({"notes", "into"}),
        },
    )
    async with open_environment(server_spec(server), workspace, entries_only) as environment:
        described = [
            {"description": tool.description, "schema": tool.input_schema}
            for tool in environment.tools.values()
        ]
        said = [(await environment.call(tool, given)).text for tool, given in CALLS]
        files = await environment.files()
    # When a note was written is the one thing that differs.
    for entry in files.values():
        del entry["modified"]
    return described, said, files


def test_what_a_server_is_told_and_says_of_its_state_is_the_same_in_each_confinement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = LANDLOCK.probe()
    if problem is not None:
        pytest.skip(f"landlock does not work here: {problem}")
    found = []
    each: tuple[Means, ...] = ("bubblewrap", "landlock")
    for means in each:
        monkeypatch.setattr(confinement, "means", lambda means=means: means)
        found.append(anyio.run(_answers, tmp_path / means))
    assert found[0] == found[1]
    described, said, _ = found[1]
    assert described[0]["description"] == "Read a note below /notes."
    assert said[0] == "/notes\n/notes/\n/notes/a:/notes/b\n/notes\n/notesx /x/notes"
    assert said[4] == "/notes/a stays as it is, as /notes does"
    assert said[5:7] == ["joined /notes/a, b", "alpha\n/notes/a stays as it is, as /notes does"]
