"""The check of a call's arguments, with the schemas that the original server gives."""

import math
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlscope.roles import Score
from controlscope.tools import MAX_ARGUMENT_BYTES, Tool
from executors.mcp.environment import open_environment
from executors.mcp.server import filesystem_server
from tests.controlscope.json_values import OBJECTS, VALUES, nested


async def _unscored(_: Path) -> Score:
    return Score(success=False, message="")


async def _listed() -> Mapping[str, Tool]:
    with tempfile.TemporaryDirectory() as folder:
        async with open_environment(filesystem_server(), Path(folder), _unscored) as environment:
            return environment.tools


@pytest.fixture(scope="module")
def tools() -> Mapping[str, Tool]:
    return anyio.run(_listed)


VALID: list[tuple[str, dict[str, Any]]] = [
    ("read_file", {"path": "a"}),
    ("read_text_file", {"path": "", "head": 3}),
    ("read_text_file", {"path": "a", "tail": 1.5}),
    ("read_media_file", {"path": "a.png"}),
    ("read_multiple_files", {"paths": ["a"]}),
    ("write_file", {"path": "ä", "content": "\x00\U0001f600\u2028"}),
    ("edit_file", {"path": "a", "edits": []}),
    ("edit_file", {"path": "a", "edits": [{"oldText": "a", "newText": ""}], "dryRun": True}),
    ("create_directory", {"path": "d"}),
    ("list_directory", {"path": "d"}),
    ("list_directory_with_sizes", {"path": "d", "sortBy": "size"}),
    ("directory_tree", {"path": "d", "excludePatterns": []}),
    ("move_file", {"source": "a", "destination": "b"}),
    ("search_files", {"path": "d", "pattern": "*"}),
    ("get_file_info", {"path": "a"}),
    ("list_allowed_directories", {}),
]


def test_the_samples_name_every_tool(tools: Mapping[str, Tool]) -> None:
    assert {name for name, _ in VALID} == set(tools)


@pytest.mark.parametrize(("name", "arguments"), VALID)
def test_a_valid_call_has_no_problem(
    tools: Mapping[str, Tool], name: str, arguments: dict[str, Any]
) -> None:
    assert tools[name].problem(arguments) is None


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("read_text_file", {}, "'path' is a required property"),
        ("read_text_file", {"path": 1}, "path: 1 is not of type 'string'"),
        ("read_text_file", {"path": "a", "head": True}, "head: True is not of type 'number'"),
        ("read_text_file", {"path": "a", "head": None}, "head: None is not of type 'number'"),
        (
            "read_text_file",
            {"file_path": "a"},
            "unknown argument 'file_path'; read_text_file takes path, tail, head",
        ),
        (
            "list_allowed_directories",
            {"path": "a"},
            "unknown argument 'path'; list_allowed_directories takes none",
        ),
        ("read_multiple_files", {"paths": []}, "paths: [] should be non-empty"),
        ("read_multiple_files", {"paths": "a"}, "paths: 'a' is not of type 'array'"),
        ("read_multiple_files", {"paths": ["a", 2]}, "paths[1]: 2 is not of type 'string'"),
        (
            "list_directory_with_sizes",
            {"path": "d", "sortBy": "date"},
            "sortBy: 'date' is not one of ['name', 'size']",
        ),
        (
            "edit_file",
            {"path": "a", "edits": [{"oldText": "x"}]},
            "edits[0]: 'newText' is a required property",
        ),
    ],
)
def test_a_wrong_call_is_told_by_its_argument(
    tools: Mapping[str, Tool], name: str, arguments: dict[str, Any], problem: str
) -> None:
    assert tools[name].problem(arguments) == problem


@pytest.mark.parametrize(
    "arguments",
    [
        {"path": "\ud800", "content": ""},
        {"path": "a", "content": "x\udfffy"},
        {"path": "a", "content": "", "\udc00": ""},
        {"path": "a", "content": "\ud83d\ude00"},
    ],
    ids=["path", "content", "name", "pair"],
)
def test_a_surrogate_is_refused_before_it_can_kill_a_session(
    tools: Mapping[str, Tool], arguments: dict[str, Any]
) -> None:
    assert "lone surrogate" in (tools["write_file"].problem(arguments) or "")


def test_a_surrogate_deep_in_a_list_is_found(tools: Mapping[str, Tool]) -> None:
    edits = [{"oldText": "a", "newText": "b"}, {"oldText": "a", "newText": "\ud800"}]
    problem = tools["edit_file"].problem({"path": "a", "edits": edits})
    assert "lone surrogate" in (problem or "")


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, nested(10_000), 10**5000],
    ids=["nan", "infinity", "deep", "endless"],
)
def test_what_json_cannot_carry_is_refused(tools: Mapping[str, Tool], value: Any) -> None:
    problem = tools["read_text_file"].problem({"path": "a", "head": value})
    assert (problem or "").startswith("the arguments cannot be sent: ")


@pytest.mark.parametrize("letter", ["x", "é", "\U0001f600"])
def test_text_is_measured_in_bytes_and_allowed_up_to_the_limit(
    tools: Mapping[str, Tool], letter: str
) -> None:
    room = MAX_ARGUMENT_BYTES - len("path" + "a" + "content")
    content = letter * (room // len(letter.encode()))
    assert tools["write_file"].problem({"path": "a", "content": content}) is None
    problem = tools["write_file"].problem({"path": "a", "content": content + letter})
    assert f"the limit is {MAX_ARGUMENT_BYTES}" in (problem or "")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read_multiple_files", {"paths": ["a"] * 3_000_000}),
        ("write_file", {"path": "a", "content": "\x01" * 2_000_000}),
    ],
    ids=["many short texts", "escapes"],
)
def test_arguments_that_grow_beyond_the_servers_line_as_json_are_refused(
    tools: Mapping[str, Tool], name: str, arguments: dict[str, Any]
) -> None:
    assert "bytes as JSON; the limit is" in (tools[name].problem(arguments) or "")


@given(name=st.sampled_from([name for name, _ in VALID]), arguments=OBJECTS)
def test_any_json_is_sent_or_refused_in_one_short_line(
    tools: Mapping[str, Tool], name: str, arguments: dict[str, Any]
) -> None:
    problem = tools[name].problem(arguments)
    if problem is not None:
        assert problem
        assert "\n" not in problem


@given(
    name=st.sampled_from([name for name, _ in VALID]),
    more=st.dictionaries(st.sampled_from(["path", "head", "paths", "edits", "content"]), VALUES),
)
def test_a_problem_does_not_depend_on_the_order_of_arguments(
    tools: Mapping[str, Tool], name: str, more: dict[str, Any]
) -> None:
    backwards = dict(reversed(more.items()))
    assert tools[name].problem(more) == tools[name].problem(backwards)


def test_what_the_server_says_of_itself_is_kept(tools: Mapping[str, Tool]) -> None:
    writing = {name for name, known in tools.items() if not known.read_only}
    assert writing == {"write_file", "edit_file", "create_directory", "move_file"}
    assert all(known.description for known in tools.values())
