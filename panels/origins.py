"""What the runs of a task start from, by the kind of its suite."""

from functools import partial
from pathlib import Path

from controlscope.roles import Origin
from controlscope.tasks import Suite, Task
from executors.alfworld.place import GAME, AlfworldOrigin
from executors.appworld.place import AppworldOrigin
from executors.mcp.place import McpOrigin
from executors.mcp.server import server_spec
from executors.worker.boxes.choosing import AUTO, chosen
from panels import scripts

__all__ = ["origin_of"]


def origin_of(suite: Suite, task: Task, initial: Path, worker: str = AUTO) -> Origin:
    """Return where runs of a task start.

    `initial` is its built environment, `worker` the name of the programs' back end.
    """
    match task.kind:
        case "tasks" | "mcpmark":
            judge = partial(scripts.score, task, initial=initial)
            spec, maker = server_spec(suite.server), chosen(worker)
            return McpOrigin(spec, suite.proxy, initial, judge, maker)
        case "alfworld":
            return AlfworldOrigin(initial / GAME, task.instruction, chosen(worker))
        case "appworld":
            return AppworldOrigin(task.environment, task.folder.name, suite.proxy, chosen(worker))
