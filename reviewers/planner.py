"""Ordinary planning without a model: the replies of a source program, one after another."""

from controlscope.boundaries import History
from controlscope.errors import PlannerError
from controlscope.roles import Plan
from controlscope.tasks import Reply, SourceProgram

__all__ = ["ScriptedPlanner"]


class ScriptedPlanner:
    """Gives the program's next reply each time it is asked, then one without blocks or its failure.

    Which reply is next is read off the history, so that a planner can be shared by branches. What
    the replies before it did makes no difference.
    """

    def __init__(self, program: SourceProgram) -> None:
        self._program = program

    async def plan(self, goal: str, history: History) -> Plan:
        """Give the reply that follows those in the history, or its PlannerError."""
        given = sum(entry["kind"] == "reply" for entry in history.entries)
        replies = self._program.replies
        if given < len(replies):
            return Plan(replies[given])
        if self._program.failure is not None:
            raise PlannerError("planner_error", self._program.failure)
        return Plan(Reply(()))
