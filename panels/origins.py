"""What the runs of a task start from, by the kind of its suite."""

from functools import partial
from pathlib import Path

from controlscope.roles import Origin
from controlscope.tasks import Suite, Task
from executors.mcp.place import McpOrigin
from executors.mcp.server import server_spec
from panels import scripts

__all__ = ["origin_of"]


def origin_of(suite: Suite, task: Task, initial: Path) -> Origin:
    """Return where runs of a task start; `initial` is its built environment."""
    match task.kind:
        case "tasks" | "mcpmark":
            judge = partial(scripts.score, task, initial=initial)
            return McpOrigin(server_spec(suite.server), suite.proxy, initial, judge)
