"""Ordinary planning by a model."""

from collections.abc import Mapping

from controlscope.boundaries import History
from controlscope.canonical import JsonObject
from controlscope.errors import InputError, PlannerError, PlannerErrorKind
from controlscope.roles import Plan
from controlscope.tasks import SourceProgram
from controlscope.tools import Tool
from reviewers import plan_form
from reviewers.endpoint import Endpoint
from reviewers.transport import EndpointError

__all__ = ["ModelPlanner"]


class ModelPlanner:
    """Gives the source program's first reply, and asks a model for each one after it.

    Without a program the model gives the first reply too. A reply without a call, or without blocks
    where the model cannot call tools, ends the trajectory. Requests that coincide exactly share
    their response where their `draw_key` is equal. `show_decisions` tells whether the planner is
    told of reviews, beyond the receipts of what they cancelled. InputError where a tool has the
    code tool's name.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        tools: Mapping[str, Tool],
        proxy: str,
        program: SourceProgram | None,
        *,
        draw_key: str = "",
        show_decisions: bool = False,
    ) -> None:
        if plan_form.CODE_TOOL in tools:
            raise InputError(f"a tool is named {plan_form.CODE_TOOL}, as the code tool is")
        self._endpoint = endpoint
        self._tools = tools
        self._proxy = proxy
        self._program = program
        self._draw_key = draw_key
        self._show_decisions = show_decisions

    def request(self, goal: str, history: History) -> JsonObject:
        """Return the whole request for the reply that follows a history."""
        return plan_form.plan_request(
            self._endpoint.settings,
            goal,
            history,
            self._tools,
            self._proxy,
            show_decisions=self._show_decisions,
        )

    async def plan(self, goal: str, history: History) -> Plan:
        """Give the next reply; PlannerError of either kind where the provider gives none."""
        given = sum(entry["kind"] == "reply" for entry in history.entries)
        if self._program is not None and given == 0:
            return Plan(self._program.replies[0])
        try:
            response = await self._endpoint.ask(self.request(goal, history), self._draw_key)
        except EndpointError as error:
            too_long = error.kind == "context_limit"
            kind: PlannerErrorKind = "context_limit" if too_long else "planner_error"
            raise PlannerError(kind, str(error)) from None
        reply = plan_form.read_plan(
            self._endpoint.settings, response, given + 1, self._tools, self._proxy
        )
        return Plan(reply, response.usage)
