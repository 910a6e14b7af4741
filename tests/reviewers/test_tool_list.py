"""How few and very many tools reach a model, in requests of both protocols."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from controlscope.boundaries import History
from controlscope.canonical import JsonObject
from controlscope.tools import Tool
from reviewers.plan_form import CODE_TOOL, plan_request
from reviewers.record import public_record
from reviewers.settings import ModelSettings
from reviewers.tool_list import are_functions, listed_tools
from tests.controlscope.pausing import boundary_at

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer", "default": 5}},
    "required": ["path"],
}


def _tools(count: int, name: str = "read_{}") -> Mapping[str, Tool]:
    names = [name.format(n) for n in range(count)]
    return {known: Tool(known, "Read it.", SCHEMA, True) for known in names}


@pytest.mark.parametrize(
    ("tools", "functions"),
    [(_tools(128), True), (_tools(129), False), (_tools(2, "mail.read_{}"), False)],
)
def test_what_no_provider_takes_as_functions_is_listed_for_the_planner(
    tools: Mapping[str, Tool], functions: bool
) -> None:
    assert are_functions(tools) == functions
    settings = ModelSettings(model="m", mode="fast")
    asked = plan_request(settings, "Do it.", History(), tools, "fs", show_decisions=False)
    offered = [tool["function"]["name"] for tool in asked["tools"]]
    assert offered == [CODE_TOOL, *(sorted(tools) if functions else ())]
    role = asked["messages"][0]["content"]
    assert (listed_tools(tools) in role) == (not functions)
    assert ("called directly" in role) == functions


def test_a_few_tools_are_told_by_their_schemas_and_very_many_by_signatures() -> None:
    assert listed_tools(_tools(1)).startswith('- read_0: Read it.\n  {"properties":')
    many = {
        name: replace(tool, program_parameters=frozenset({"path"}))
        for name, tool in _tools(129).items()
    }
    first = listed_tools(many).splitlines()[0]
    assert first == "- read_0(path, limit=5) (no data arguments: path): Read it."


def test_of_very_many_tools_a_reviewer_sees_the_pending_one_s_schema() -> None:
    boundary = boundary_at("fs.read_0(path='a')\n")
    pending = replace(boundary.pending, tool="read_0")
    few = replace(boundary, pending=pending, tools=_tools(2))
    many = replace(boundary, pending=pending, tools=_tools(200))
    assert public_record(few, show_budget=True).count('"properties"') == 2
    assert public_record(many, show_budget=True).count('"properties"') == 1
