"""Ordinary planning without a model: the replies of a source program, one after another."""

from controlscope.boundaries import History
from controlscope.roles import Plan
from controlscope.tasks import Reply, SourceProgram

__all__ = ["ScriptedPlanner"]


class ScriptedPlanner:
    """Gives the program's next reply each time it is asked, then a reply without blocks.

    Which reply is next is read off the history, so that a planner can be shared by branches. What
    the replies before it did makes no difference.
    """

    def __init__(self, program: SourceProgram) -> None:
        self._program = program

    async def plan(self, goal: str, history: History) -> Plan:
        """Give the reply that follows those in the history."""
        given = sum(entry["kind"] == "reply" for entry in history.entries)
        replies = self._program.replies
        return Plan(replies[given] if given < len(replies) else Reply(()))
