"""Which back end runs the workers here: found by running each, in their order, until one works."""

from functools import cache

from controlscope.errors import InfrastructureError
from executors.worker.boxes.box import BACK_ENDS, BackEnd, Maker
from executors.worker.boxes.bubblewrap import BUBBLEWRAP
from executors.worker.boxes.docker import DOCKER
from executors.worker.boxes.landlock import LANDLOCK

__all__ = ["AUTO", "CHOICES", "MAKERS", "chosen"]

AUTO = "auto"
CHOICES: tuple[str, ...] = (AUTO, *BACK_ENDS)

MAKERS: dict[BackEnd, Maker] = {maker.name: maker for maker in (BUBBLEWRAP, DOCKER, LANDLOCK)}


@cache
def chosen(name: str = AUTO) -> Maker:
    """Return the back end of a name, or the first one that works here; tried once a process.

    InfrastructureError (sandbox_start_failed) where it does not work, with what each one lacks:
    nothing ever runs without isolation.
    """
    wanted = BACK_ENDS if name == AUTO else [known for known in BACK_ENDS if known == name]
    problems = []
    for each in wanted:
        problem = MAKERS[each].probe()
        if problem is None:
            return MAKERS[each]
        problems.append(f"{each}: {problem}")
    raise InfrastructureError("sandbox_start_failed", "; ".join(problems))
